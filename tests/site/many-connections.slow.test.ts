import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { startSite } from "#tests/support/site.ts";
import { ask } from "#tests/support/visitor.ts";

test("beyond 4,000 connections others are cut until some are closed, and the log says so", async () => {
  // A thousandth of them, which any machine opens at once.
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
