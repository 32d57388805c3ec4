import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { duplexPair } from "node:stream";
import { createClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { LiveInbox } from "#app/server/live/live-inbox.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { storeMessages } from "#tests/support/messages.ts";

/** 20 kB, all different: equal messages are spam, which is not sent. */
const longText = (index: number) => String.fromCodePoint(0x12000 + index).repeat(5000);
const [batches, size] = [5, 40];

// Over stream pairs: the system's socket buffers would hold up to 40 MB for a slow reader.
test("a slow tab is disconnected, and delays no other", async () => {
  const supabase = await startTestServer();
  const { url, publishableKey, embedded, dataDir } = supabase;
  const { data } = await createClient(url, publishableKey).auth.signUp({
    email: "reader@example.com",
    password: "a password",
  });
  const token = data.session?.access_token ?? "";
  const live = new LiveInbox({
    site: { backend: embedded, url: new URL(url) },
    clientAddress: () => "192.0.2.1",
    // In place of the page: it is a reader's.
    async respond(_request, { admit }) {
      const expiresAt = Date.now() + 3_600_000;
      admit?.({ id: randomUUID(), token, expiresAt, mayRead: async () => true });
      return new Response(null, { status: 204 });
    },
  });
  const server = createServer().on("upgrade", (...socket) => live.upgrade(...socket));

  async function openTab() {
    const [ours, theirs] = duplexPair();
    server.emit("connection", theirs);
    const socket = new WebSocket(`${url.replace("http", "ws")}/admin/live`, {
      createConnection: () => ours,
      headers: { Origin: url },
    });
    const frames: string[] = [];
    socket.on("message", (frame) => frames.push(String(frame)));
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return { socket, frames, closed: new Promise((resolve) => socket.once("close", resolve)) };
  }
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
  await supabase.close();
});
