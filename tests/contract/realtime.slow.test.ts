import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, afterAll, expect, test } from "vitest";
import { joinRealtime } from "#app/server/backend/outside/realtime.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";
import { legacyKey, secretKey } from "#tests/support/keys.ts";
import { storeMessages } from "#tests/support/messages.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => server.realtime.setFault(undefined));
afterAll(() => server.close());

async function join(
  { url }: { url: string } = server,
  secret = secretKey,
  waits?: Parameters<typeof joinRealtime>[2],
) {
  const heard: string[] = [];
  const stop = await joinRealtime(
    { url, secretKey: secret },
    {
      onInsert: (id) => void heard.push(id),
      onChange: () => void heard.push("change"),
      onEnd: () => void heard.push("end"),
    },
    waits,
  );
  return { heard, stop };
}

const store = (name: string) =>
  storeMessages(server.dataDir, [{ name, email: "a@example.com", message: randomUUID() }]);

test.each([secretKey, legacyKey])(
  "a site hears of messages by their ids, and of changes: %s",
  async (key) => {
    server.realtime.tokens.length = 0;
    const { heard, stop } = await join(server, key);
    // The first join already has it: a later one would come after the first changes.
    expect(server.realtime.tokens).toEqual([key]);
    const [row] = await store("أولى");
    await expect.poll(() => heard).toEqual([row?.id]);
    server.realtime.setFault("omit");
    await store("كبيرة");
    await expect.poll(() => heard).toEqual([row?.id, "change"]);
    server.realtime.tellDeletion();
    await expect.poll(() => heard).toEqual([row?.id, "change", "change"]);
    stop();
    await expect.poll(() => server.realtime.sockets()).toBe(0);
    expect(heard).toHaveLength(3);
  },
);

test("a join rejects if Realtime or its gateway refuses it, or does not answer", async () => {
  for (const fault of ["refuse", "unpublished"] as const) {
    server.realtime.setFault(fault);
    await expect(join()).rejects.toThrow("ended");
  }
  await expect(join(server, "sb_secret_deleted")).rejects.toThrow("ended");
  await expect(join({ url: "http://127.0.0.1:1" })).rejects.toThrow("ended");
  await expect.poll(() => server.realtime.sockets()).toBe(0);
});

test("a subscription that expires or is cut ends once", async () => {
  for (const lose of ["expireAll", "cut"] as const) {
    const { heard } = await join();
    server.realtime[lose]();
    await expect.poll(() => heard).toEqual(["end"]);
    await expect.poll(() => server.realtime.sockets()).toBe(0);
  }
});

// The real waits are ten seconds each; these make them one.
const waits = { startMs: 1_000, heartbeatMs: 1_000 };

test("a Realtime that answers nothing any more is noticed by two heartbeats", async () => {
  const { heard } = await join(server, secretKey, { ...waits, startMs: 10_000 });
  server.realtime.setFault("hang");
  await expect.poll(() => heard).toEqual(["end"]);
  await expect.poll(() => server.realtime.sockets()).toBe(0);
  // By itself, the client would connect again after a second, and nobody would know.
  await sleep(1_500);
  expect(server.realtime.sockets()).toBe(0);
});

test("a join that gets no answer, or no changes, is given up", async () => {
  for (const fault of ["lose", "unconfirmed", "hang"] as const) {
    server.realtime.setFault(fault);
    await expect(join(server, secretKey, waits)).rejects.toThrow("ended");
  }
  await expect.poll(() => server.realtime.sockets()).toBe(0);
});
