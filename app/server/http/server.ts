import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { limitReached } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";

export interface SiteServer {
  http: Server;
  /** Starts to listen. It does not listen before, so that a balancer uses another process. */
  serve(listener: RequestListener): Promise<void>;
  /** Waits for the requests in flight, at most `timeoutMs`. Each connection closes after its response. */
  finish(timeoutMs: number): Promise<void>;
}

/**
 * Tries the port, and makes a server with the site's bounds.
 * @throws {StartError} that names the settings, if the port or address cannot be used
 */
export async function openServer(address: { port: number; host: string }): Promise<SiteServer> {
  const server = createServer({
    requestTimeout: 30_000,
    headersTimeout: 10_000,
    // How often Node looks for both timeouts: every 30 s by default.
    connectionsCheckingInterval: 5_000,
    // This is four times Node's limit, because cookies of other programs on the same domain must not lock
    // their users out.
    maxHeaderSize: 64 * 1024,
    // Other upgrades are ignored, as RFC 9110, 7.8 allows.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
  });
  // This is half of the files that the systemd unit allows, and twice the open boards. An idle connection
  // takes 15 kB.
  server.maxConnections = 4000;
  server.on("drop", () => limitReached("connections"));
  // A proxy keeps its connections for a shorter time, so that the server does not close them first.
  server.keepAliveTimeout = 65_000;
  server.on("connection", (socket) => {
    // Node reads and keeps the peer's address here: after a reset of the connection it cannot.
    if (socket.remoteAddress === undefined) {
      socket.destroy();
    }
  });
  const inFlight = new Set<ServerResponse>();
  let isEnding = false;
  server.on("request", (_request, response) => {
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
    if (isEnding) {
      endConnection(response);
    }
  });
  const trial = createServer();
  await listen(trial, address);
  trial.close();
  await once(trial, "close");
  return {
    http: server,
    serve: (listener) => listen(server.on("request", listener), address),
    async finish(timeoutMs) {
      isEnding = true;
      inFlight.forEach(endConnection);
      const closed = Array.from(inFlight, (response) => once(response, "close"));
      await Promise.race([Promise.all(closed), sleep(timeoutMs)]);
    },
  };
}

/** Without this header a client may send a request on a connection that is about to close. */
function endConnection(response: ServerResponse): void {
  if (!response.headersSent) {
    response.setHeader("Connection", "close");
  }
}

async function listen(server: Server, { port, host }: { port: number; host: string }) {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new StartError(`Port ${port} is taken: stop what uses it, or set PORT to another.`);
    }
    throw new StartError(`Cannot listen on ${host}:${port} (${message}): set HOST and PORT.`);
  }
}
