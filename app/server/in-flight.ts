import type { Server, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Keeps the requests of a server that are not answered yet. Gives a function that waits until
 * there are none, for so many milliseconds at most, and lets no connection be used again.
 */
export function watchRequests(server: Server): (patience: number) => Promise<void> {
  const underWay = new Set<ServerResponse>();
  let onNone: (() => void) | undefined;
  server.on("request", (_request, response: ServerResponse) => {
    underWay.add(response);
    response.once("close", () => {
      underWay.delete(response);
      if (underWay.size === 0) {
        onNone?.();
      }
    });
  });
  return async (patience) => {
    // What a client sends on a connection that is about to be closed could be lost.
    server.prependListener("request", (_request, response) => endConnection(response));
    for (const response of underWay) {
      endConnection(response);
    }
    if (underWay.size === 0) {
      return;
    }
    await Promise.race([new Promise<void>((resolve) => (onNone = resolve)), sleep(patience)]);
  };
}

function endConnection(response: ServerResponse): void {
  if (!response.headersSent) {
    response.setHeader("Connection", "close");
  }
}
