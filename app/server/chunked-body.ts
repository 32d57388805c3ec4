import type { IncomingMessage } from "node:http";

// One more than REST's limit, the largest; its refusal comes from there.
const maxBytes = 1024 * 1024 + 1;
// 512 kB in chunks of one byte blocked the process for two seconds. Proxies send packets.
const maxChunks = 2000;

/**
 * Gathers a chunked body into `rawBody`, from where the Request takes it. Resolves with false if
 * there are too many chunks or the client has gone.
 */
export function gatherChunks(request: IncomingMessage & { rawBody?: Buffer }): Promise<boolean> {
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
    } else if (bytes >= maxBytes) {
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
