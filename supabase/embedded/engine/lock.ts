import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { reason, StartError } from "./start-error.ts";

/** SQLITE_BUSY (sqlite.org/rescode.html). */
const busy = 5;

/**
 * Locks the data folder until the returned function is called or the process dies. It is SQLite's
 * exclusive file lock, which the kernel drops with the process: a killed site leaves none behind.
 * @throws {StartError} if another site holds the lock, in this process or another one
 */
export function lockDataDir(dataDir: string): () => void {
  const path = join(dataDir, "site.lock");
  try {
    createFile(path);
    return lock(path);
  } catch (error) {
    if ((error as { errcode?: number }).errcode === busy) {
      throw new StartError(`Another site is already running on the data folder ${dataDir}.`);
    }
    throw new StartError(`The data folder ${dataDir} cannot be locked: ${reason(error)}`);
  }
}

/** Never opens an existing file: to close it would drop this process's locks on it (fcntl). */
function createFile(path: string): void {
  try {
    writeFileSync(path, "", { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw error;
    }
    chmodSync(path, 0o600);
  }
}

function lock(path: string): () => void {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec("begin exclusive");
  } catch (error) {
    file.close();
    throw error;
  }
  return () => file.close();
}
