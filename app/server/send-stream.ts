import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { limitReached } from "#app/lib/log.server.ts";

// The kernel takes up to 1 MB at a time, so a reader of some 8 kB a second goes on.
export const readerPatienceMs = 120_000;

/** Whether a response is to be sent while it is made. */
export const isStream = ({ headers, body }: Response): boolean =>
  body !== null && headers.get("X-Accel-Buffering") === "no";

/**
 * Resets the connection on a fault and on a reader who takes nothing for up to twice `patience`
 * milliseconds: no part passes for the whole, not even under HTTP/1.0.
 */
export function sendStream(
  { status, headers, body }: Response,
  outgoing: ServerResponse,
  patience: number,
) {
  for (const [name, value] of headers) {
    outgoing.setHeader(name, name === "set-cookie" ? headers.getSetCookie() : value);
  }
  outgoing.writeHead(status);
  // Node begins it again when the kernel takes more of what is written.
  outgoing.setTimeout(patience, () => {
    limitReached("unread");
    outgoing.socket?.resetAndDestroy();
  });
  void sendParts(body ?? [], outgoing);
  return RESPONSE_ALREADY_SENT;
}

async function sendParts(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  if (outgoing.destroyed) {
    gone.abort();
  }
  try {
    for await (const part of parts) {
      gone.signal.throwIfAborted();
      if (!outgoing.write(part)) {
        await once(outgoing, "drain", gone);
      }
    }
    outgoing.end();
  } catch {
    // Who made it has logged why.
    outgoing.socket?.resetAndDestroy();
  }
}
