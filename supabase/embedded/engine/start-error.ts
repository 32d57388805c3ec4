/** A failed start that the owner can fix. The message is one sentence that says how. */
export class StartError extends Error {
  override name = "StartError";
}

/** `unusable`: its files or rights; `foreign`: it has other things in it; `empty`: no database. */
export type FolderFault = "unusable" | "foreign" | "in-use" | "empty";

/** The data folder cannot be used. Only the caller knows what names that folder to the owner. */
export class FolderError extends StartError {
  readonly fault: FolderFault;

  constructor(fault: FolderFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** How the rows of a folder that another version made come into this one. */
export const upgrade =
  "run npm run backup with the version that made it, then npm run restore -- FILE with this one and an empty DATA_DIR.";

/** Returns the message of any thrown value. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
