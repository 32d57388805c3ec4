import { z } from "zod";
import { log } from "#app/lib/log.server.ts";
import { SiteCallError } from "#app/server/site-calls.ts";

/** The version of Supabase's command line tool that the documents name. */
export const supabaseCli = "npx supabase@3.1.0";

const againMs = 60_000;

/** Runs `read`, and again each minute until it is not rejected. */
function untilAnswered(read: () => Promise<unknown>): void {
  void read().catch(() => setTimeout(() => untilAnswered(read), againMs).unref());
}

/**
 * Logs what answers at SUPABASE_URL if it is not a database that takes the site's calls, at the start and
 * after a change. Returns a function that asks again whether it is such a database, and rejects without an
 * answer.
 */
export function watchDatabase(ask: () => Promise<unknown>): () => Promise<boolean> {
  let told: string | undefined;
  async function isReady(): Promise<boolean> {
    const fault = await ask().then(faultOf, faultOfRefusal);
    if (fault !== undefined && fault !== told) {
      log.error(fault);
    }
    told = fault;
    return fault === undefined;
  }
  untilAnswered(isReady);
  return isReady;
}

const unknownDatabase = "The server at SUPABASE_URL is no Supabase with this site's tables";

const faultOf = (terms: unknown) =>
  z.looseObject({ months: z.int() }).safeParse(terms).success ? undefined : unknownDatabase;

function faultOfRefusal(error: unknown): string {
  if (!(error instanceof SiteCallError) || error.status >= 500) {
    throw error;
  }
  if (error.code === "PGRST202") {
    return `The database of SUPABASE_URL is older than this site: run ${supabaseCli} db push --remote`;
  }
  return error.code === "42501"
    ? "The database of SUPABASE_URL refuses the site: SUPABASE_SECRET_KEY is not its secret key"
    : unknownDatabase;
}

const authSettingsSchema = z.object({ mailer_autoconfirm: z.boolean() });

const unconfirmed = `The Supabase at SUPABASE_URL does not confirm addresses: a change of address needs one mail only, the old address is enough, and a mistyped address gets the account. Turn confirmations on (${supabaseCli} config push, or 'Confirm email' in the dashboard) and restart the site.`;

/**
 * Reads the public settings of the authentication, again each minute until it answers, and warns if
 * it confirms no addresses. Returns whether it can verify one, true until it has answered.
 */
export function watchConfirmations(ask: () => Promise<Response>): () => boolean {
  let canVerify = true;
  untilAnswered(async () => {
    const settings = authSettingsSchema.parse(await (await ask()).json());
    canVerify = !settings.mailer_autoconfirm;
    if (!canVerify) {
      log.warn(unconfirmed);
    }
  });
  return () => canVerify;
}
