import { StartError } from "#app/lib/start-error.ts";
import type { Env } from "#app/server/settings.ts";

/** @throws {StartError} if the site's database is not the embedded one */
export function requireEmbedded(env: Env, instead: string): void {
  if (env.SUPABASE_URL) {
    throw new StartError(`This command is for the embedded Supabase: ${instead}`);
  }
}
