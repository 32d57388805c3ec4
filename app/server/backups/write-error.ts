import { StartError } from "#app/lib/start-error.ts";

/** The cause that the owner sees: the disk is full, the folder is not writable, or another. */
export type WriteFault = "full" | "refused" | "other";

const exitCodes = { full: 3, refused: 4, other: 1 };

const faults: Record<string, WriteFault> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EACCES: "refused",
  EPERM: "refused",
  EROFS: "refused",
  ENOENT: "refused",
  ENOTDIR: "refused",
};

/** A backup could not be written. `exitCode` reports the cause to another process. */
export class WriteError extends StartError {
  readonly exitCode: number;

  constructor(folder: string, error: unknown) {
    const fault = faults[(error as NodeJS.ErrnoException).code ?? ""] ?? "other";
    const why =
      fault === "full"
        ? "the disk is full"
        : String(error instanceof Error ? error.message : error);
    super(`The backup could not be written to ${folder}: ${why}.`, { cause: error });
    this.exitCode = exitCodes[fault];
  }
}

/** Returns the cause for an exit code other than 0. */
export function faultOfExitCode(code: number): WriteFault {
  const { full, refused } = exitCodes;
  return code === full ? "full" : code === refused ? "refused" : "other";
}
