import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { limitReached } from "#app/lib/log.server.ts";

// Browsers and proxies wait for an answer before they ask again. Node takes 2,400 requests out of
// one read, and all would be worked on at once: they kept everybody else waiting for seconds.
const maxUnanswered = 32;

/** Ends a connection on which more requests wait for their answers (RFC 9112, 9.3.2). */
export function limitPipelining(listener: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const waiting = unanswered.get(socket) ?? 0;
    if (waiting >= maxUnanswered) {
      limitReached("unanswered");
      socket.destroy();
      return;
    }
    unanswered.set(socket, waiting + 1);
    response.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    listener(request, response);
  };
}
