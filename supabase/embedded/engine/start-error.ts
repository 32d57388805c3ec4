/** A start that failed for a reason the owner can fix, which the message says in one sentence. */
export class StartError extends Error {
  override name = "StartError";
}

/** Returns the text of anything that was thrown. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
