/** A start that failed for a reason the owner can fix, which the message says in one sentence. */
export class StartError extends Error {
  override name = "StartError";
}
