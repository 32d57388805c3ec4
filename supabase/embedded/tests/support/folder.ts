import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates an empty folder, which other users can enter. Disposing removes it. */
export async function tempFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "test-"));
  // As root, PostgreSQL runs as a system user, which must be able to enter.
  await chmod(path, 0o711);
  // The database of a killed process may still be writing.
  const how = { recursive: true, force: true, maxRetries: 10, retryDelay: 200 };
  return { path, [Symbol.asyncDispose]: () => rm(path, how) };
}
