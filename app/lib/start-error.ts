/** A start failed for a reason that the owner can fix. The message is one sentence. */
export class StartError extends Error {
  override name = "StartError";
}
