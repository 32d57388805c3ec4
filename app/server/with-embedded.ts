import { StartError } from "#app/lib/start-error.ts";
import { databaseFault } from "./database-fault.ts";

interface Entry {
  EngineError: abstract new (...args: never[]) => Error & { code: string };
}

/**
 * Does work with an entry of the embedded Supabase. Its package is optional: a site on a hosted Supabase
 * installs without it.
 * @param dev whether a fault is told to who changes the site, and not to its owner
 * @throws {StartError} if it is missing, or if the database cannot be opened for a reason that the
 *   owner can fix
 */
export async function withEmbedded<E extends Entry, Result>(
  loading: Promise<E>,
  work: (entry: E) => Promise<Result>,
  dev = false,
): Promise<Result> {
  const entry = await loading.catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ERR_MODULE_NOT_FOUND"
      ? new StartError(
          "The packages of the embedded Supabase are missing: run npm ci without --omit=optional, or set SUPABASE_URL.",
        )
      : error;
  });
  try {
    return await work(entry);
  } catch (error) {
    if (error instanceof entry.EngineError) {
      throw new StartError(databaseFault(error, dev), { cause: error });
    }
    throw error;
  }
}
