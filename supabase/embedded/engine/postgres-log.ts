import { type FileHandle, open, rename, stat } from "node:fs/promises";

const longestLog = 1024 * 1024;
const tailBytes = 4096;

/** The log file of PostgreSQL, which survives restarts. */
export interface PostgresLog {
  /** Opens the log for a new server. A log over 1 MB is renamed to `<path>.1` first. */
  open(): Promise<FileHandle>;
  /** Returns at most `count` last lines since `open`. */
  tail(count: number): Promise<string[]>;
}

export function postgresLog(path: string): PostgresLog {
  let start = 0;
  const size = async () => (await stat(path).catch(() => undefined))?.size ?? 0;
  return {
    async open() {
      if ((await size()) > longestLog) {
        await rename(path, `${path}.1`);
      }
      start = await size();
      return open(path, "a", 0o600);
    },
    async tail(count) {
      const position = Math.max(start, (await size()) - tailBytes);
      const file = await open(path).catch(() => undefined);
      const read = await file?.read({ buffer: Buffer.alloc(tailBytes), position });
      await file?.close();
      const text = read?.buffer.toString("utf8", 0, read.bytesRead).trim() ?? "";
      return text === "" ? [] : text.split("\n").slice(-count);
    },
  };
}
