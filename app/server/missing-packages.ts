import { StartError } from "#app/lib/start-error.ts";

/**
 * Resolves as work with the embedded Supabase does. Its packages are optional dependencies: a site on a
 * hosted Supabase installs without them. @throws {StartError} if they are missing
 */
export function withPackages<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") {
      throw error;
    }
    throw new StartError(
      "The packages of the embedded Supabase are missing: run npm ci without --omit=optional, or set SUPABASE_URL.",
    );
  });
}
