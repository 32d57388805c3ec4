import { limitReached, logFailed } from "#app/lib/log.server.ts";
import type { AuthRefusal } from "./refusal.ts";
import type { Supabase } from "./supabase.ts";

const maxSubject = 320;
// Leaves time for the attempt itself within a form's deadline.
const timeoutMs = 3000;

/** `supabase`: a client without a session; `device`: the browser's device proof, unchecked. */
export interface Attempts {
  supabase: Supabase;
  device: string | undefined;
}

/**
 * Counts an attempt for an address or account. Returns a refusal if there were too many, or if
 * they cannot be counted.
 */
export async function takeAttempt(
  { supabase, device }: Attempts,
  kind: "sign-in" | "sign-up" | "mail" | "code" | "mailed-code",
  account: string,
): Promise<AuthRefusal | undefined> {
  const { data: wait, error } = await supabase
    .rpc("take_attempt", {
      kind,
      account: account.slice(0, maxSubject),
      ...(device && { device }),
    })
    .abortSignal(AbortSignal.timeout(timeoutMs));
  if (error) {
    logFailed("An attempt was not counted", { kind, code: error.code });
    return { status: 503, code: undefined };
  }
  if (wait === null) {
    return undefined;
  }
  return tooMany(kind, wait);
}

/** Logs that a limit was reached. Returns the refusal, with the seconds to wait. */
export function tooMany(limit: string, wait: number): AuthRefusal {
  limitReached(limit);
  return { status: 429, code: "over_request_rate_limit", wait };
}

/** Takes back an attempt that was right: `session` is a client with the session that it proved. */
export async function returnAttempt(
  session: Supabase,
  { device }: Attempts,
  kind: "sign-in" | "code",
): Promise<void> {
  const { error } = await session
    .rpc("return_attempt", { kind, ...(device && { device }) })
    .abortSignal(AbortSignal.timeout(timeoutMs));
  if (error) {
    logFailed("An attempt was not taken back", { kind, code: error.code });
  }
}
