import { expect } from "vitest";
import { post } from "#app/server/notifications/post.ts";
import { publicAgent } from "#app/server/notifications/push.ts";
import { signIn } from "#tests/support/auth-server.ts";
import { passOnceSettled, patience, test } from "#tests/support/notifications-test.ts";
import { newPushDevice } from "#tests/support/push-device.ts";
import { devicesOf, shownOn, subscribe } from "#tests/support/push-owner.ts";
import type { PushService } from "#tests/support/push-service.ts";

test.for([404, 410])(
  "%i removes the device, and no failure is shown",
  async (status, { server, push, site: opened }) => {
    await subscribe(server);
    push.answer = (response) => response.writeHead(status).end();
    await opened.open({});
    await opened.leave();
    await expect.poll(() => devicesOf(server.client), patience).toEqual([]);
    expect(await opened.state()).toBeUndefined();
    push.answer = undefined;
    await subscribe(server);
    await passOnceSettled(server.sql, "1 day");
    opened.wake();
    expect(await opened.state()).toMatchObject({ channel: "push", fault: null, stuck: 0 });
  },
);

test.for<[string, NonNullable<PushService["answer"]>, string]>([
  ["403", (response) => response.writeHead(403).end('{"reason":"BadJwtToken"}'), "refused"],
  ["307", (response) => response.writeHead(307, { Location: "/other" }).end(), "redirect"],
])(
  "%s: the owner sees the fault, and it is not tried again by itself",
  async ([status, answer, cause], { server, push, site: opened }) => {
    await subscribe(server);
    push.answer = answer;
    await opened.open({});
    await opened.leave();
    await expect.poll(opened.fault, patience).toBe(cause);
    expect(await opened.state()).toMatchObject({ stuck: 1, reply: status });
    await passOnceSettled(server.sql, "7 days");
    expect(await server.callAsSite("take_notifications", { for_channel: "push" })).toEqual([]);
    expect([push.posts.length, (await devicesOf(server.client)).length]).toEqual([1, 1]);
    push.answer = undefined;
    await server.client.rpc("retry_notifications");
    await expect.poll(opened.count(push.posts), patience).toBe(2);
    await expect.poll(opened.fault, patience).toBe(null);
  },
);

test.for<[string, NonNullable<PushService["answer"]>, string]>([
  ["429", (response) => response.writeHead(429, { "Retry-After": "60" }).end(), "later"],
  ["a cut connection", (response) => response.destroy(), "unreachable"],
  ["a hanging service", () => undefined, "slow"],
])(
  "%s: the notification is sent later, and replaces one that may have arrived",
  async ([, answer, cause], { server, push, site: opened }) => {
    const device = await subscribe(server);
    push.answer = answer;
    await opened.open({});
    await opened.leave();
    await expect.poll(opened.fault, patience).toBe(cause);
    push.answer = undefined;
    await passOnceSettled(server.sql, "1 minute");
    await expect.poll(opened.count(push.posts), patience).toBe(2);
    await expect.poll(opened.fault, patience).toBe(null);
    const [first, second] = push.posts;
    const isSame = first?.headers["topic"] === second?.headers["topic"];
    expect(isSame).toBe(cause === "unreachable" || cause === "slow");
    expect(shownOn(device, second?.body).tag.replaceAll("-", "")).toBe(second?.headers["topic"]);
  },
);

test("a notification is settled when one device accepts it, whatever the others do", async ({
  server,
  push,
  site: opened,
}) => {
  for (const service of ["good", "gone", "wrong", "hangs"]) {
    await subscribe(server, newPushDevice(service));
  }
  push.answer = (response, endpoint) => {
    const [, service = ""] = /^https:\/\/(\w+)/.exec(endpoint) ?? [];
    const status = { good: 201, gone: 410, wrong: 403 }[service];
    if (status !== undefined) {
      response.writeHead(status).end();
    }
  };
  await opened.open({});
  await opened.leave();
  await expect.poll(async () => (await opened.state())?.sent_at, patience).toBeTruthy();
  expect(await opened.state()).toMatchObject({ fault: null, stuck: 0 });
  expect(await devicesOf(server.client)).toHaveLength(3);
  expect(push.posts).toHaveLength(4);
});

test("a refusal by one device is not final while another may still accept", async ({
  server,
  push,
  site: opened,
}) => {
  await subscribe(server, newPushDevice("wrong"));
  await subscribe(server, newPushDevice("later"));
  push.answer = (response, endpoint) =>
    response.writeHead(endpoint.startsWith("https://later") ? 503 : 403).end();
  await opened.open({});
  await opened.leave();
  await expect.poll(opened.fault, patience).toBe("later");
  push.answer = undefined;
  await passOnceSettled(server.sql, "1 minute");
  await expect.poll(opened.count(push.posts), patience).toBe(4);
});

test("an invalid key ends its subscription, and the other devices get the notification", async ({
  server,
  push,
  site: opened,
}) => {
  const good = await subscribe(server);
  const bad = newPushDevice().subscription;
  const { client } = await signIn(server.server, server.owner);
  await client.rpc("save_push_subscription", { ...bad, p256dh: `B${"A".repeat(86)}` });
  await opened.open({});
  await opened.leave();
  await expect.poll(opened.count(push.posts), patience).toBe(1);
  expect(push.posts[0]?.endpoint).toBe(good.subscription.endpoint);
  await expect.poll(async () => (await devicesOf(server.client)).length, patience).toBe(1);
});

test("the site connects to no address of its own network", async ({ push }) => {
  const target = new URL(`https://localhost:${push.port}/send`);
  const signal = AbortSignal.timeout(5_000);
  const sent = post({ target, headers: {}, body: "x", agent: publicAgent, signal });
  await expect(sent).rejects.toMatchObject({ code: "ENOTFOUND" });
  expect([push.connections, push.posts.length]).toEqual([0, 0]);
});
