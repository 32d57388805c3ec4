import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { reason, StartError } from "./start-error.ts";

/** SQLITE_BUSY (sqlite.org/rescode.html). */
const busy = 5;

/** The lock is held by this or another process. */
export class LockedError extends StartError {}

/** Returns what unlocks the data folder. Throws LockedError if another site holds it. */
export function lockDataDir(dataDir: string): () => void {
  const sentence = `Another site is already running on the data folder ${dataDir}.`;
  return lockFile(join(dataDir, "site.lock"), sentence);
}

/**
 * Locks by SQLite's file lock, which the kernel drops with the process: a killed site leaves none.
 * Throws LockedError with the sentence if it is held, StartError if the file cannot be written.
 */
export function lockFile(path: string, sentence: string): () => void {
  try {
    createFile(path);
    return lock(path);
  } catch (error) {
    if ((error as { errcode?: number }).errcode === busy) {
      throw new LockedError(sentence);
    }
    throw new StartError(`The folder ${dirname(path)} cannot be locked: ${reason(error)}`);
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
