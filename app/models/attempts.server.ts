import { limitReached, log } from "#app/lib/log.server.ts";
import type { Refusal } from "./refusal.ts";
import type { Supabase } from "./supabase.ts";

const maxSubject = 320;
// Leaves time for the attempt itself.
const timeoutMs = 3000;

/** A client without a session, and the browser's unchecked proof that an account used it. */
export interface Attempts {
  supabase: Supabase;
  device: string | undefined;
}

/**
 * Counts an attempt at an address or account. Returns the refusal after too many. A fault in the
 * counter lets it through: the authentication service has limits as well.
 */
export async function takeAttempt(
  { supabase, device }: Attempts,
  kind: "sign-in" | "sign-up" | "mail" | "code",
  account: string,
): Promise<Refusal | undefined> {
  const { data: wait, error } = await supabase
    .rpc("take_attempt", {
      kind,
      account: account.slice(0, maxSubject),
      ...(device && { device }),
    })
    .abortSignal(AbortSignal.timeout(timeoutMs));
  if (error) {
    log.error("An attempt was not counted", { kind, code: error.code });
  }
  if (error || wait === null) {
    return undefined;
  }
  limitReached(kind);
  return { status: 429, code: "over_request_rate_limit", wait };
}
