import { decodeJwt, importJWK, jwtVerify } from "jose";
import { expect, onTestFinished, vi } from "vitest";
import { patience, test } from "#tests/support/notifications-test.ts";
import { newPushDevice } from "#tests/support/push-device.ts";
import { shownOn, subscribe } from "#tests/support/push-owner.ts";
import type { Pushed } from "#tests/support/push-service.ts";

const site = "https://tawasul.example";

test("a message is shown on each of the owner's devices, and push services cannot read it", async ({
  server,
  push,
  site: opened,
}) => {
  const [phone, laptop] = [
    await subscribe(server, newPushDevice("fcm")),
    await subscribe(server, newPushDevice("apple")),
  ];
  await opened.open({});
  const id = await opened.leave({ name: "سارة", message: "السلام عليكم،\nأريد صفحة لمتجري." });
  await expect.poll(opened.count(push.posts), patience).toBe(2);
  for (const device of [phone, laptop]) {
    const { endpoint } = device.subscription;
    const sent = push.posts.find((one) => one.endpoint === endpoint);
    const notification = shownOn(device, sent?.body);
    expect(notification).toEqual({
      title: "سارة",
      body: "السلام عليكم، أريد صفحة لمتجري.",
      lang: "ar",
      dir: "rtl",
      navigate: `${site}/admin?open=${id}`,
      tag: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(sent?.headers).toMatchObject({
      "content-encoding": "aes128gcm",
      ttl: "86400",
      urgency: "high",
      topic: notification.tag.replaceAll("-", ""),
    });
    await expectSigned(sent, new URL(endpoint).origin, opened.pushKey());
  }
  await expect.poll(async () => (await opened.state())?.sent_at).toBeTruthy();
});

/** RFC 8292 */
async function expectSigned(sent: Pushed | undefined, audience: string, pushKey: unknown) {
  const [, token = "", key = ""] =
    /^vapid t=([^,]+), k=(.+)$/.exec(sent?.headers.authorization ?? "") ?? [];
  expect(key).toBe(pushKey);
  const point = Buffer.from(key, "base64url");
  const x = point.subarray(1, 33).toString("base64url");
  const y = point.subarray(33).toString("base64url");
  const publicKey = await importJWK({ kty: "EC", crv: "P-256", x, y }, "ES256");
  const { payload } = await jwtVerify(token, publicKey, { audience, subject: site });
  expect((payload.exp ?? 0) * 1000).toBeLessThan(Date.now() + 86_400_000);
}

test("with NOTIFICATION_BODY=none it says only that there is a message", async ({
  server,
  push,
  site: opened,
}) => {
  const device = await subscribe(server);
  await opened.open({ NOTIFICATION_BODY: "none" });
  const id = await opened.leave({ name: "سارة", message: "سر" });
  await expect.poll(opened.count(push.posts), patience).toBe(1);
  const notification = shownOn(device, push.posts[0]?.body);
  expect([notification.title, notification.body]).toEqual(["رسالة جديدة", undefined]);
  expect(notification.navigate).toBe(`${site}/admin?open=${id}`);
});

test("several messages at once are told by their number, and lead to the board's list", async ({
  server,
  push,
  site: opened,
}) => {
  const device = await subscribe(server);
  await server.leave({ name: "سارة" });
  await server.leave({ name: "هند" });
  await opened.open({});
  await expect.poll(opened.count(push.posts), patience).toBe(1);
  const { title, body, navigate } = shownOn(device, push.posts[0]?.body);
  expect({ title, body, navigate }).toEqual({
    title: "رسالتان جديدتان",
    body: undefined,
    navigate: `${site}/admin`,
  });
});

test.for<[string, string]>([
  ["many words", "كلمة ".repeat(900)],
  ["emoji", "👨‍👩‍👧‍👦".repeat(400)],
])(
  "%s: the notification is cut to the size that services accept",
  async ([, message], { server, push, site: opened }) => {
    const device = await subscribe(server);
    await opened.open({});
    await opened.leave({ name: "ن".repeat(100), message });
    await expect.poll(opened.count(push.posts), patience).toBe(1);
    const { body } = shownOn(device, push.posts[0]?.body);
    expect(Array.from(body).length).toBeLessThanOrEqual(100);
    expect(body.at(-1)).toBe("…");
    expect(message.startsWith(body.slice(0, -1))).toBe(true);
    expect(push.posts[0]?.body.length).toBeLessThan(4_096);
  },
);

test("a test is shown at once, and reported as failed without a device", async ({
  server,
  push,
  site: opened,
}) => {
  await opened.open({});
  expect(await opened.test("push")).toEqual({ outcome: "refused", fault: "gone" });
  const device = await subscribe(server);
  expect(await opened.state()).toMatchObject({ fault: null });
  expect(await opened.test("push")).toEqual({ outcome: "sent" });
  expect(shownOn(device, push.posts[0]?.body)).toMatchObject({ title: "تنبيه تجريبي من موقعك" });
});

test("a site on localhost sends too, and no package writes past the log", async ({
  server,
  push,
  site: opened,
}) => {
  const warn = vi.spyOn(console, "warn");
  onTestFinished(() => warn.mockRestore());
  await subscribe(server);
  await opened.open({}, new URL("http://localhost:3000"));
  expect(await opened.test("push")).toEqual({ outcome: "sent" });
  expect(warn).not.toHaveBeenCalled();
  const [, token = ""] = /^vapid t=([^,]+)/.exec(push.posts[0]?.headers.authorization ?? "") ?? [];
  expect(decodeJwt(token).sub).toBe("https://127.0.0.1:3000");
});
