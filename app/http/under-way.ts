import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Counts the requests of a server that are not answered yet. Gives a function that waits until
 * there are none, for so many milliseconds at most.
 */
export function countRequests(server: Server): (patience: number) => Promise<void> {
  let underWay = 0;
  let onNone: (() => void) | undefined;
  server.on("request", (_request, response) => {
    underWay += 1;
    response.once("close", () => {
      underWay -= 1;
      if (underWay === 0) onNone?.();
    });
  });
  return async (patience) => {
    if (underWay === 0) return;
    await Promise.race([new Promise<void>((resolve) => (onNone = resolve)), sleep(patience)]);
  };
}
