import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { reason, StartError } from "./start-error.ts";

/**
 * Holds the data folder for this process until the returned function is called or the process
 * dies. The lock is SQLite's exclusive file lock: the kernel drops it with the process, so a
 * killed site leaves none behind, which no file with a process id in it can promise.
 * Fails with StartError when another process, or another site in this one, holds it.
 */
export function lockDataDir(dataDir: string): () => void {
  const file = new DatabaseSync(join(dataDir, "site.lock"), { timeout: 0 });
  try {
    file.exec("begin exclusive");
  } catch (error) {
    file.close();
    if (reason(error).includes("locked"))
      throw new StartError(`Another site is already running on the data folder ${dataDir}.`);
    throw error;
  }
  return () => file.close();
}
