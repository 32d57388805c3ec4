/** A failed start that the owner can fix. Its message is printed without a stack. */
export class StartError extends Error {
  override name = "StartError";
}
