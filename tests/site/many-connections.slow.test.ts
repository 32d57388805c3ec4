import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openServer } from "#app/server/http/server.ts";
import { freePort, startSite } from "#tests/support/site.ts";
import { ask } from "#tests/support/visitor.ts";

test("beyond 4,000 connections others are cut until some are closed, and the log says so", async () => {
  // This is a thousandth of the limit, which any machine opens at once.
  const preload = `import { Server } from "node:net";
    Object.defineProperty(Server.prototype, "maxConnections", {
      get() { return this.most; },
      set(most) { this.most = most / 1000; },
    });`;
  const small = await startSite({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
  });
  const open = () =>
    connect(Number(new URL(small.url).port), "127.0.0.1")
      .on("error", () => undefined)
      .resume();
  const sockets = Array.from({ length: 4 }, open);
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  await once(open(), "close");
  await expect.poll(() => small.linesWith("limit=connections")).toHaveLength(1);
  sockets.forEach((socket) => socket.destroy());
  const status = () => ask(small, "GET", "/healthz").then((answer) => answer.status);
  await expect.poll(() => status().catch(() => 0)).toBe(200);
  await small.stop();
});

test("connections that send no whole header are cut within 16 seconds", async () => {
  const port = await freePort();
  const { http, serve } = await openServer({ port, host: "127.0.0.1" });
  onTestFinished(() => void http.close());
  await serve(() => undefined);
  const cut: Promise<unknown>[] = [];
  const since = performance.now();
  for (const sent of ["", "GET / HTTP/1.1\r\nHost: localhost\r\n"]) {
    const socket = connect(port, "127.0.0.1").resume();
    socket.write(sent);
    cut.push(once(socket, "close"));
  }
  await Promise.all(cut);
  expect(performance.now() - since).toBeLessThan(16_000);
});
