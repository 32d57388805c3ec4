/**
 * A start that failed for a reason the owner can act on. `message` is one plain sentence
 * without personal data; the server prints it and exits with status 1.
 */
export class StartError extends Error {
  override name = "StartError";
}

/** Text of anything that was thrown, for the tail of a sentence. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
