/** A failed start that the owner can fix. The message is one sentence that says how. */
export class StartError extends Error {
  override name = "StartError";
}

/** Returns the message of any thrown value. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
