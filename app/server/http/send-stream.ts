import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { limitReached, logFault } from "#app/lib/log.server.ts";

// The kernel buffers up to 1 MB, so this allows clients of about 8 kB/s.
export const readTimeoutMs = 120_000;

/** Whether a response is a download, which is sent while it is made. All others are complete. */
export const isDownload = ({ headers, body }: Response): boolean =>
  body !== null && headers.get("Content-Disposition")?.startsWith("attachment") === true;

/**
 * Resets the connection if the stream fails, or if the client reads nothing for `timeoutMs` to twice
 * as long. After a reset no client takes a part for the whole file, not even with HTTP/1.0.
 */
export function sendStream(
  { status, headers, body }: Response,
  outgoing: ServerResponse,
  timeoutMs: number,
) {
  for (const [name, value] of headers) {
    outgoing.setHeader(name, name === "set-cookie" ? headers.getSetCookie() : value);
  }
  outgoing.writeHead(status);
  // Node restarts the timeout when the kernel accepts more data.
  outgoing.setTimeout(timeoutMs, () => {
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
      if (!outgoing.write(part)) {
        await once(outgoing, "drain", gone);
      }
    }
    outgoing.end();
  } catch (error) {
    if (!gone.signal.aborted) {
      logFault("A download broke off", error);
    }
    outgoing.socket?.resetAndDestroy();
  }
}
