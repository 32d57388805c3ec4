import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Sheet } from "#app/site-contract.server.ts";

/**
 * Makes an .xlsx file in a thread of its own, because ten thousand rows take seconds. Rejects if there is not
 * enough memory.
 */
export async function makeWorkbook(sheet: Sheet): Promise<Uint8Array<ArrayBuffer>> {
  const thread = new Worker(new URL("./thread.ts", import.meta.url), { workerData: sheet });
  const [file] = await once(thread, "message");
  return file;
}
