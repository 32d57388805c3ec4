import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { reason, EngineError } from "./engine-error.ts";

/** SQLITE_BUSY (sqlite.org/rescode.html). */
const busy = 5;

/**
 * Locks the data folder by SQLite's file lock, which the kernel releases when the process ends. Returns
 * the unlock function. Throws EngineError, `in-use` if it is locked.
 */
export function lockDataDir(dataDir: string): () => void {
  const path = join(dataDir, "site.lock");
  try {
    createFile(path);
    return lock(path);
  } catch (error) {
    if ((error as { errcode?: number }).errcode === busy) {
      throw new EngineError(
        "in-use",
        `Another site or command is using the data folder ${dataDir}.`,
      );
    }
    const { code } = error as NodeJS.ErrnoException;
    throw new EngineError(
      "unusable",
      code === "EPERM" || code === "EACCES"
        ? `The folder ${dataDir} has files of another user, perhaps root's: run chown -R USER: ${dataDir} with the user of the site.`
        : `The folder ${dataDir} cannot be locked: ${reason(error)}`,
    );
  }
}

/**
 * An existing file is never opened, because closing it would release the locks that this process has on it
 * (fcntl).
 */
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
    // Without a journal, which would take space: the disk may be full.
    file.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    file.close();
    throw error;
  }
  return () => file.close();
}
