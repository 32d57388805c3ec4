import type { IncomingMessage } from "node:http";

// One more than the largest limit behind this, which is REST's: it is told there.
const maxBytes = 1024 * 1024 + 1;
// A chunk costs as much as a kilobyte, however small it is: a form of 512 kB in chunks of one
// byte blocked everybody for two seconds. Proxies send a packet's worth at least.
const maxChunks = 2000;

/**
 * Gathers a body that comes in chunks into `rawBody`, from where the Request takes it in one.
 * @returns false if there are too many chunks, or if the client went away
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
