import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { cookieOf } from "#tests/support/live.ts";
import { readMessages } from "#tests/support/messages.ts";
import { settled } from "#tests/support/settled.ts";
import { useSite } from "#tests/support/use-site.ts";
import { signedUp } from "#tests/support/visitor.ts";

const site = useSite({ TRUSTED_PROXIES: "" });

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
  for (let count = 0; count < 300; count += 1) {
    await sendAndReset(upgrade);
  }
  expect((await fetch(`${site.url}/healthz`)).status).toBe(200);
});

test("messages whose sender disconnects at once are counted like others", async () => {
  const form = ["POST / HTTP/1.1", `Origin: ${site.url}`];
  for (let count = 0; count < 40; count += 1) {
    const fields = { name: "Reset", email: "r@example.com", message: `${count}`, t_extra: "" };
    await sendAndReset(
      [...form, "Content-Type: application/x-www-form-urlencoded"],
      new URLSearchParams(fields).toString(),
    );
  }
  const length = await settled(async () => (await readMessages(site.dataDir)).length);
  expect(length).toBeGreaterThan(0);
  expect(length).toBeLessThanOrEqual(10);
});

test("a sender who disconnects on the way is no fault of the site's", async () => {
  const form = ["POST / HTTP/1.1", `Origin: ${site.url}`];
  for (let count = 0; count < 20; count += 1) {
    const head = [...form, "Content-Type: application/x-www-form-urlencoded"];
    await sendAndReset(head, "name=", 5000);
  }
  const faults = async () => site.output().split("A request failed").length - 1;
  expect(await settled(faults)).toBe(0);
});
