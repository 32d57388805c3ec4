import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, afterAll, expect, test } from "vitest";
import { joinRealtime } from "#app/server/outside/realtime.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";
import { legacyKey, secretKey } from "#tests/support/keys.ts";
import { storeMessages } from "#tests/support/messages.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => server.realtime.setFault(undefined));
afterAll(() => server.close());

async function join({ url }: { url: string } = server, secret = secretKey) {
  const heard: string[] = [];
  const stop = await joinRealtime(
    { url, secretKey: secret },
    {
      onInsert: (id) => void heard.push(id),
      onChange: () => void heard.push("change"),
      onEnd: () => void heard.push("end"),
    },
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

test.each(["refuse", "unpublished"] as const)(
  "a join that fails (%s) is refused",
  async (fault) => {
    server.realtime.setFault(fault);
    await expect(join()).rejects.toThrow("ended");
    await expect.poll(() => server.realtime.sockets()).toBe(0);
  },
);

test("a key that is refused, and a Realtime that is not there, are refusals", async () => {
  await expect(join(server, "sb_secret_deleted")).rejects.toThrow("ended");
  await expect(join({ url: "http://127.0.0.1:1" })).rejects.toThrow("ended");
});

test.each(["expireAll", "cut"] as const)(
  "a subscription that is lost (%s) ends once",
  async (lose) => {
    const { heard } = await join();
    server.realtime[lose]();
    await expect.poll(() => heard).toEqual(["end"]);
    await expect.poll(() => server.realtime.sockets()).toBe(0);
  },
);

test("a Realtime that answers nothing any more is noticed within half a minute", async () => {
  const { heard } = await join();
  server.realtime.setFault("hang");
  await expect(join()).rejects.toThrow("ended");
  await expect.poll(() => heard, { timeout: 25_000 }).toEqual(["end"]);
  await expect.poll(() => server.realtime.sockets()).toBe(0);
  // The client by itself would connect again, unknown to anybody.
  await sleep(4_000);
  expect(server.realtime.sockets()).toBe(0);
}, 60_000);

test("a join that gets no answer, or no changes, is given up after ten seconds", async () => {
  const { tokens, setFault, sockets } = server.realtime;
  const before = tokens.length;
  const joins = (["lose", "unconfirmed"] as const).map(async (fault, index) => {
    await expect.poll(() => tokens.length).toBe(before + index);
    setFault(fault);
    await expect(join()).rejects.toThrow("ended");
  });
  await Promise.all(joins);
  await expect.poll(sockets).toBe(0);
}, 30_000);
