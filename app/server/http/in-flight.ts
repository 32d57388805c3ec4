import type { Server, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Tracks a server's requests in flight. Returns a function that waits until there are none, at most
 * `timeoutMs`, and closes each connection after its response.
 */
export function trackRequests(server: Server): (timeoutMs: number) => Promise<void> {
  const inFlight = new Set<ServerResponse>();
  let onNone: (() => void) | undefined;
  server.on("request", (_request, response: ServerResponse) => {
    inFlight.add(response);
    response.once("close", () => {
      inFlight.delete(response);
      if (inFlight.size === 0) {
        onNone?.();
      }
    });
  });
  return async (timeoutMs) => {
    // Without this header a client may send a request on a connection that is about to close.
    server.prependListener("request", (_request, response) => endConnection(response));
    for (const response of inFlight) {
      endConnection(response);
    }
    if (inFlight.size === 0) {
      return;
    }
    await Promise.race([new Promise<void>((resolve) => (onNone = resolve)), sleep(timeoutMs)]);
  };
}

function endConnection(response: ServerResponse): void {
  if (!response.headersSent) {
    response.setHeader("Connection", "close");
  }
}
