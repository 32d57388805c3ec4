import { StartError } from "#app/lib/start-error.ts";
import { databaseFault } from "./database-fault.ts";

interface Entry {
  EngineError: abstract new (...args: never[]) => Error & { code: string };
}

/** The sentences by the code of Node's error. */
const unloadable: Record<string, string> = {
  ERR_MODULE_NOT_FOUND:
    "The packages of the embedded Supabase are missing: run npm ci without --omit=optional, or set SUPABASE_URL.",
  ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING:
    "npm has copied supabase/embedded into node_modules, where Node runs no TypeScript, because your configuration of npm overrides .npmrc: run npm ci --install-links=false.",
};

/**
 * Does work with an entry of the embedded Supabase. Its package is optional: a site on a hosted Supabase
 * installs without it.
 * @param dev whether messages about faults are for a developer, and not for the site's owner
 * @throws {StartError} if it is missing, or if the database cannot be opened for a reason that the
 *   owner can fix
 */
export async function withEmbedded<E extends Entry, Result>(
  loading: Promise<E>,
  work: (entry: E) => Promise<Result>,
  dev = false,
): Promise<Result> {
  const entry = await loading.catch((error: NodeJS.ErrnoException) => {
    const fault = unloadable[error.code ?? ""];
    throw fault === undefined ? error : new StartError(fault);
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
