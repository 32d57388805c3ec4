import { createServer, type IncomingMessage } from "node:http";
import { duplexPair } from "node:stream";
import { createClient } from "@supabase/supabase-js";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { log } from "#app/lib/log.server.ts";
import { LiveInbox } from "#app/server/live/live-inbox.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { insert } from "#tests/support/engine.ts";
import { storeMessages } from "#tests/support/messages.ts";

// Over stream pairs: the system's socket buffers would hold up to 40 MB for a slow reader.
async function start() {
  const supabase = await startTestServer();
  const { url, publishableKey, embedded, dataDir } = supabase;
  const { data } = await createClient(url, publishableKey).auth.signUp({
    email: "reader@example.com",
    password: "a password",
  });
  const token = data.session?.access_token ?? "";
  const live = new LiveInbox({
    site: { backend: embedded, url: new URL(url), absences: { list: [] } },
    clientAddress: ({ headers }: IncomingMessage) => String(headers["x-forwarded-for"]),
    // This stands for the page: each address has its own session of a reader.
    async respond(_request, { address, admit }) {
      const expiresAt = Date.now() + 3_600_000;
      admit?.({ id: address, token, expiresAt, mayRead: async () => true });
      return new Response(null, { status: 204 });
    },
  });
  const server = createServer().on("upgrade", (...socket) => live.upgrade(...socket));
  onTestFinished(() => supabase.close());

  async function openTab(address = "192.0.2.1") {
    const [ours, theirs] = duplexPair();
    server.emit("connection", theirs);
    const socket = new WebSocket(`${url.replace("http", "ws")}/admin/live`, {
      createConnection: () => ours,
      headers: { Origin: url, "X-Forwarded-For": address },
    });
    const frames: string[] = [];
    socket.on("message", (frame) => frames.push(String(frame)));
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return { socket, frames, closed: new Promise((resolve) => socket.once("close", resolve)) };
  }
  return { supabase, dataDir, live, openTab };
}

/** 20 kB, all different: equal messages are spam, which is not sent. */
const longText = (index: number) => String.fromCodePoint(0x12000 + index).repeat(5000);
const [batches, size] = [5, 40];

test("a slow tab is disconnected, and delays no other", async () => {
  const { dataDir, live, openTab } = await start();
  const slow = await openTab();
  const quick = await openTab();
  slow.socket.pause();

  for (let batch = 0; batch < batches; batch += 1) {
    const rows = Array.from({ length: size }, (_, index) => ({
      name: `${batch}-${index}`,
      email: "a@example.com",
      message: longText(batch * size + index),
    }));
    await storeMessages(dataDir, rows);
  }
  await expect.poll(() => quick.frames.length).toBe(batches * size);
  slow.socket.resume();
  await expect.poll(() => slow.socket.readyState).toBe(WebSocket.CLOSING);
  expect(slow.frames.length).toBeLessThan(batches * size);
  expect(quick.socket.readyState).toBe(WebSocket.OPEN);
  await live.close();
  expect(await quick.closed).toBe(1001);
});

test("2,000 sockets hear of a message, more are refused, from however many sessions and addresses", async () => {
  const { supabase, live, openTab } = await start();
  const addresses = Array.from({ length: 20 }, (_, at) => `192.0.2.${at}`);
  const tabs = await Promise.all(
    addresses.flatMap((address) => Array.from({ length: 100 }, () => openTab(address))),
  );
  await insert(supabase, "إلى الكل");
  const heard = () =>
    tabs.filter(({ frames }) => frames.some((frame) => frame.includes("إلى الكل")));
  await expect.poll(() => heard().length).toBe(2_000);
  const often = vi.spyOn(log, "often");
  onTestFinished(() => often.mockRestore());
  const other = () =>
    openTab("198.51.100.1").then(
      ({ socket }) => socket.readyState,
      (error: Error) => error.message,
    );
  expect(await other()).toBe("Unexpected server response: 429");
  expect(often.mock.lastCall).toEqual(["warn", "A limit was reached", { limit: "liveSockets" }]);
  tabs[0]?.socket.close();
  await expect.poll(other).toBe(WebSocket.OPEN);
  await live.close();
});
