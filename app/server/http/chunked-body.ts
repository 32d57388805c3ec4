import type { IncomingMessage } from "node:http";

// More than the largest limit of a form, so that it is refused with its page.
export const maxChunkedBytes = 1024 * 1024;
// 512 kB in chunks of one byte blocked the process for two seconds. Proxies send larger chunks.
const maxChunks = 2000;

/**
 * Reads a chunked body into `rawBody`, which @hono/node-server uses. Resolves with false if there are
 * too many chunks or the client closed the connection.
 */
export function readChunks(request: IncomingMessage & { rawBody?: Buffer }): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const chunks: Buffer[] = [];
  let bytes = 0;

  function stop(isTaken: boolean) {
    request.off("data", take);
    request.rawBody = Buffer.concat(chunks);
    resolve(isTaken);
  }

  function take(chunk: Buffer) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (chunks.length > maxChunks) {
      stop(false);
      request.resume();
    } else if (bytes >= maxChunkedBytes) {
      stop(true);
      request.pause();
    }
  }

  request.on("data", take);
  request.once("end", () => stop(true));
  request.once("close", () => stop(false));
  request.on("error", () => stop(false));
  return promise;
}
