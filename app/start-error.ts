/**
 * A start that failed for a reason the owner can fix. `message` is one plain sentence without
 * personal data; `server.ts` prints it and exits with status 1.
 */
export class StartError extends Error {
  override name = "StartError";
}
