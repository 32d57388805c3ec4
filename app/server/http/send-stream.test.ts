import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { sendStream } from "./send-stream.ts";

const patience = 1000;

/** Opens an answer without end; `ended` resolves when nobody makes it any more. */
async function open() {
  const ended = Promise.withResolvers<void>();
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(30_000_000)),
    cancel: () => ended.resolve(),
  });
  const server = createServer((_request, outgoing) => {
    sendStream(new Response(body), outgoing, patience);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, agent: false }).on("error", () => undefined);
  const [response] = await once(asked.end(), "response");
  return { response: response as IncomingMessage, ended: ended.promise };
}

test("a reader who takes nothing more is cut off, and sees it", async () => {
  const { response, ended } = await open();
  await ended;
  const closed = once(response.resume(), "close");
  await expect(closed).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(response.complete).toBe(false);
});

test("a slow reader goes on", async () => {
  const { response } = await open();
  response.on("error", () => undefined);
  // All of it is of one part.
  for (let step = 0; step < 2 * patience; step += 20) {
    response.read();
    await sleep(20);
  }
  expect(response.destroyed).toBe(false);
});
