import type { IncomingMessage, ServerResponse } from "node:http";
import { limitReached } from "#app/lib/log.server.ts";
import { networkKey } from "#app/server/http/address.ts";
import { maxChunkedBytes } from "./chunked-body.ts";

// An unfinished form of 500 kB takes 500 kB of memory. Of the largest this allows 16 at once, of
// common ones thousands.
const maxBytesOfNetwork = 8 * 1024 * 1024;

/**
 * Returns a function that counts a form for its network until it is answered, by the length that it
 * states, and returns false instead if the network then had too many bytes.
 */
export function formBytesLimit(): (
  address: string,
  request: IncomingMessage,
  response: ServerResponse,
) => boolean {
  const held = new Map<string, number>();
  return (address, { headers }, response) => {
    const bytes =
      headers["transfer-encoding"] === undefined
        ? // More is refused and not kept.
          Math.min(Number(headers["content-length"] ?? 0), maxChunkedBytes)
        : maxChunkedBytes;
    if (bytes === 0) {
      return true;
    }
    const network = networkKey(address);
    const before = held.get(network) ?? 0;
    if (before + bytes > maxBytesOfNetwork) {
      limitReached("formBytes");
      return false;
    }
    held.set(network, before + bytes);
    response.once("close", () => {
      const left = (held.get(network) ?? 0) - bytes;
      if (left > 0) {
        held.set(network, left);
      } else {
        held.delete(network);
      }
    });
    return true;
  };
}
