import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@supabase/supabase-js";
import { afterEach, beforeAll, afterAll, expect, test } from "vitest";
import { listenToRealtime } from "#app/server/outside/realtime.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";
import { storeMessages } from "#tests/support/messages.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => server.realtime.setFault(undefined));
afterAll(() => server.close());

/** A token of a new account. */
async function signUp(): Promise<string> {
  const { auth } = createClient(server.url, server.publishableKey);
  const email = `${randomUUID()}@example.com`;
  const { data } = await auth.signUp({ email, password: "a password" });
  return data.session?.access_token ?? "";
}

async function listen(token: string, { url, publishableKey } = server) {
  const heard: string[] = [];
  const stop = await listenToRealtime({ url, publishableKey }, token, {
    onInsert: (row) => void heard.push((row as { name: string }).name),
    onChange: () => void heard.push("reload"),
    onEnd: () => void heard.push("end"),
  });
  return { heard, stop };
}

const store = (name: string) =>
  storeMessages(server.dataDir, [{ name, email: "a@example.com", message: randomUUID() }]);

test("a session hears of messages and changes, and of a row that is too large as a change", async () => {
  const token = await signUp();
  const { heard, stop } = await listen(token);
  // The first join already has it: a later one would come after the first changes.
  expect(server.realtime.tokens).toEqual([token]);
  const [row] = await store("أولى");
  await expect.poll(() => heard).toEqual(["أولى"]);
  await server.embedded.callAsSite("withdraw_message", { id: row?.id });
  await expect.poll(() => heard).toEqual(["أولى", "reload"]);
  server.realtime.setFault("omit");
  await store("كبيرة");
  await expect.poll(() => heard).toEqual(["أولى", "reload", "reload"]);
  server.realtime.tellDeletion();
  await expect.poll(() => heard).toEqual(["أولى", "reload", "reload", "reload"]);
  stop();
  await expect.poll(() => server.realtime.sockets()).toBe(0);
  expect(heard).toHaveLength(4);
});

test.each(["refuse", "unpublished"] as const)(
  "a join that fails (%s) is refused",
  async (fault) => {
    server.realtime.setFault(fault);
    await expect(listen(await signUp())).rejects.toThrow("ended");
    await expect.poll(() => server.realtime.sockets()).toBe(0);
  },
);

test("a token that is refused, and a Realtime that is not there, are refusals", async () => {
  await expect(listen("a.b.c")).rejects.toThrow("ended");
  const away = { ...server, url: "http://127.0.0.1:1" };
  await expect(listen("a.b.c", away)).rejects.toThrow("ended");
});

test.each(["expireAll", "cut"] as const)(
  "a subscription that is lost (%s) ends once",
  async (lose) => {
    const { heard } = await listen(await signUp());
    server.realtime[lose]();
    await expect.poll(() => heard).toEqual(["end"]);
    await expect.poll(() => server.realtime.sockets()).toBe(0);
  },
);

test("a Realtime that answers nothing any more is noticed within half a minute", async () => {
  const token = await signUp();
  const { heard } = await listen(token);
  server.realtime.setFault("hang");
  await expect(listen(token)).rejects.toThrow("ended");
  await expect.poll(() => heard, { timeout: 25_000 }).toEqual(["end"]);
  await expect.poll(() => server.realtime.sockets()).toBe(0);
  // The client by itself would connect again, unknown to anybody.
  await sleep(4_000);
  expect(server.realtime.sockets()).toBe(0);
}, 60_000);

test("a join that gets no answer, or no changes, is given up after ten seconds", async () => {
  const token = await signUp();
  const { tokens, setFault, sockets } = server.realtime;
  const before = tokens.length;
  const joins = (["lose", "unconfirmed"] as const).map(async (fault, index) => {
    await expect.poll(() => tokens.length).toBe(before + index);
    setFault(fault);
    await expect(listen(token)).rejects.toThrow("ended");
  });
  await Promise.all(joins);
  await expect.poll(sockets).toBe(0);
}, 30_000);
