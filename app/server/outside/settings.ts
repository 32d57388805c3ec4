import { z } from "zod";
import { log } from "#app/lib/log.server.ts";

/** The version of Supabase's command line tool that the documents name. */
export const supabaseCli = "npx supabase@3.1.0";

export const untrusted =
  "SITE_SECRET does not count at SUPABASE_URL. Run there: insert into private.trusted_site values (sha256(convert_to('the secret', 'UTF8'))) on conflict do nothing;";

const againMs = 60_000;

/** Runs `read`, and again each minute until it is not rejected. */
function untilAnswered(read: () => Promise<unknown>): void {
  void read().catch(() => setTimeout(() => untilAnswered(read), againMs).unref());
}

/**
 * Logs what answers at SUPABASE_URL, unless it is a database that knows this site: at the start, and
 * when it has changed. Returns what asks again whether it is one, and rejects if it does not answer.
 */
export function watchSecret(ask: () => Promise<Response>): () => Promise<boolean> {
  let told: string | undefined;
  async function isKnown(): Promise<boolean> {
    const fault = await faultOf(await ask());
    if (fault !== undefined && fault !== told) {
      log.error(fault);
    }
    told = fault;
    return fault === undefined;
  }
  untilAnswered(isKnown);
  return isKnown;
}

async function faultOf(response: Response): Promise<string | undefined> {
  if (response.status >= 500) {
    throw new Error("The database did not answer");
  }
  if (response.status === 404) {
    return `The database of SUPABASE_URL is older than this site: run ${supabaseCli} db push --remote`;
  }
  const isTrusted: unknown = await response.json().catch(() => undefined);
  if (typeof isTrusted !== "boolean") {
    return "What answers at SUPABASE_URL is no Supabase with this site's tables";
  }
  return isTrusted
    ? undefined
    : `${untrusted} Until then this site is refused, or its visitors share one limit, and nobody is notified.`;
}

const settingsSchema = z.object({ mailer_autoconfirm: z.boolean() });

const unconfirmed = `The Supabase at SUPABASE_URL does not confirm addresses: a change of address needs one mail only, the old address is enough, and a mistyped address gets the account. Turn confirmations on (${supabaseCli} config push, or 'Confirm email' in the dashboard) and restart the site.`;

/**
 * Reads the public settings of the authentication, again each minute until it answers, and warns if
 * it confirms no addresses. Returns whether it can verify one, true until it has answered.
 */
export function watchConfirmations(ask: () => Promise<Response>): () => boolean {
  let canVerify = true;
  untilAnswered(async () => {
    const settings = settingsSchema.parse(await (await ask()).json());
    canVerify = !settings.mailer_autoconfirm;
    if (!canVerify) {
      log.warn(unconfirmed);
    }
  });
  return () => canVerify;
}
