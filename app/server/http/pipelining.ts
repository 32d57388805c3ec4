import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { limitReached } from "#app/lib/log.server.ts";

// Browsers and proxies do not pipeline. Node parses up to 2,400 requests from one read and starts
// them all at once, which delayed other clients by seconds.
const maxUnanswered = 32;

/** Closes a connection with more pipelined requests than that (RFC 9112, 9.3.2). */
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
