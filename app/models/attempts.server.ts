import type { Refusal } from "./refusal.ts";
import type { Supabase } from "./supabase.ts";
import { log } from "#app/lib/log.server.ts";

const maxSubject = 320;

/** What attempts are counted with. */
export interface Attempts {
  /** Without a session: a broken one must not stop the count. */
  supabase: Supabase;
  /** The browser's proof that an account used it; the database checks it. */
  device: string | undefined;
}

/**
 * Counts an attempt at an account, in the database, so that all servers share the count.
 *
 * If counting fails the attempt is let through: each of these calls meets the limits of the
 * authentication service as well, and a fault in a counter must not lock the owner out.
 * @param account the address or id that the attempt is about
 * @returns the refusal if there were too many
 */
export async function takeAttempt(
  { supabase, device }: Attempts,
  kind: "sign-in" | "sign-up" | "mail" | "code",
  account: string,
): Promise<Refusal | undefined> {
  const { data: wait, error } = await supabase.rpc("take_attempt", {
    kind,
    account: account.slice(0, maxSubject),
    ...(device && { device }),
  });
  if (error) {
    log.error("An attempt was not counted", { kind, code: error.code });
  }
  if (error || wait === null) {
    return undefined;
  }
  log.warn("A limit was reached", { limit: kind });
  return { status: 429, code: "over_request_rate_limit", wait };
}
