import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FolderError, reason } from "./start-error.ts";

/** SQLITE_BUSY (sqlite.org/rescode.html). */
const busy = 5;

/** This or another process holds the lock. */
export class LockedError extends FolderError {
  constructor(message: string) {
    super("in-use", message);
  }
}

/** Locks the data folder. Returns the unlock function. Throws LockedError if it is locked. */
export function lockDataDir(dataDir: string): () => void {
  const sentence = `Another site is already running on the data folder ${dataDir}.`;
  return lockFile(join(dataDir, "site.lock"), sentence);
}

/**
 * Takes SQLite's file lock, which the kernel releases when the process ends. Throws LockedError
 * with `sentence` if it is held, and FolderError if the file cannot be written.
 */
export function lockFile(path: string, sentence: string): () => void {
  try {
    createFile(path);
    return lock(path);
  } catch (error) {
    if ((error as { errcode?: number }).errcode === busy) {
      throw new LockedError(sentence);
    }
    const { code } = error as NodeJS.ErrnoException;
    throw new FolderError(
      "unusable",
      code === "EPERM" || code === "EACCES"
        ? `The folder ${dirname(path)} has files of another user, perhaps root's: run chown -R USER: ${dirname(path)} with the user of the site.`
        : `The folder ${dirname(path)} cannot be locked: ${reason(error)}`,
    );
  }
}

/** Never opens an existing file: closing it would release this process's locks on it (fcntl). */
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
