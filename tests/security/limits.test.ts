import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { cookieOf } from "#tests/support/live.ts";
import { readMessages } from "#tests/support/messages.ts";
import { settled } from "#tests/support/settled.ts";
import { without, withSuperuser } from "#tests/support/superuser.ts";
import { useSite } from "#tests/support/use-site.ts";
import { Visitor, signedUp } from "#tests/support/visitor.ts";

let sent = 0;
function newMessage() {
  sent += 1;
  return { name: "زائر", email: "a@example.com", message: `رسالة لا تتكرر ${sent}` };
}

async function statuses(count: number, send: (index: number) => Promise<{ status: number }>) {
  const list: number[] = [];
  for (let index = 0; index < count; index += 1) {
    list.push((await send(index)).status);
  }
  return list;
}

const site = useSite();

test("the eleventh message of an address is refused for now, with any headers, and keeps its text", async () => {
  const address = newAddress();
  const text = newMessage();
  const post = (index: number) =>
    new Visitor(site).post(
      "/",
      { ...(index === 12 ? text : newMessage()), t_extra: "" },
      {
        // Only the last entry is the proxy's own.
        "X-Forwarded-For": `${newAddress()}, ${address}`,
        "CF-Connecting-IP": newAddress(),
        "X-Real-IP": newAddress(),
        Forwarded: `for=${newAddress()}`,
        "True-Client-IP": newAddress(),
      },
    );
  expect(await statuses(12, post)).toEqual([...Array.from({ length: 10 }, () => 302), 429, 429]);
  const refused = await post(12);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers["retry-after"])).toSatisfy((s) => s > 500 && s <= 600);
  expect(refused.text).toContain(text.message);
  expect(refused.text).toContain("وصلتني منك رسائل كثيرة في وقت قصير");
  expect((await new Visitor(site).post("/", { ...text, t_extra: "" })).status).toBe(302);
});

test("wrong passwords slow an account down by a minute at most, until the right one comes", async () => {
  const { credentials } = await signedUp(site);
  const guesser = new Visitor(site);
  const guess = () => guesser.post("/auth", { ...credentials, password: "wrong one" });
  expect(await statuses(11, guess)).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  // The right password is refused too. The form keeps its text except for the password.
  const owner = new Visitor(site);
  const refused = await owner.post("/auth", credentials);
  expect([refused.status, refused.text.includes(credentials.email)]).toEqual([429, true]);
  expect(refused.text).not.toContain(credentials.password);
  expect(Number(refused.headers["retry-after"])).toSatisfy((s) => s > 0 && s <= 60);
  await withSuperuser(
    site.dataDir,
    (sql) => sql`update private.attempts set next_at = now() where next_at is not null`,
  );
  expect((await owner.post("/auth", credentials)).status).toBe(302);
  expect((await new Visitor(site).post("/auth", credentials)).status).toBe(302);
});

test("an attempt that cannot be counted is refused", async () => {
  const { credentials } = await signedUp(site);
  const signIn = () => new Visitor(site).post("/auth", credentials);
  expect((await without(site, "take_attempt", signIn)).status).toBe(503);
  expect((await signIn()).status).toBe(302);
});

/** Sends a request and resets the connection at once, as a device that loses its network. */
async function sendAndReset(head: string[], body = "", length = body.length): Promise<void> {
  const socket = connect(Number(new URL(site.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  const text = [...head, "Host: localhost", `Content-Length: ${length}`, "", body].join("\r\n");
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  await sleep(Math.random() * 2);
  socket.resetAndDestroy();
}

test("a live connection that is reset while it opens does no harm", async () => {
  const upgrade = [
    "GET /admin/live HTTP/1.1",
    `Origin: ${site.url}`,
    `Cookie: ${cookieOf(await signedUp(site))}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    "Sec-WebSocket-Version: 13",
  ];
  for (let count = 0; count < 30; count += 1) {
    await sendAndReset(upgrade);
  }
  expect((await fetch(`${site.url}/healthz`)).status).toBe(200);
});

test("messages whose sender disconnects are counted like others, and no fault of the site's", async () => {
  const head = [
    "POST / HTTP/1.1",
    `Origin: ${site.url}`,
    "Content-Type: application/x-www-form-urlencoded",
  ];
  for (let count = 0; count < 20; count += 1) {
    const fields = { name: "Reset", email: "r@example.com", message: `${count}`, t_extra: "" };
    await sendAndReset(head, new URLSearchParams(fields).toString());
    await sendAndReset(head, "name=", 5000);
  }
  const stored = async () =>
    (await readMessages(site.dataDir)).filter(({ name }) => name === "Reset").length;
  const length = await settled(stored);
  expect(length).toBeGreaterThan(0);
  expect(length).toBeLessThanOrEqual(10);
  expect(site.output()).not.toContain("A request failed");
});
