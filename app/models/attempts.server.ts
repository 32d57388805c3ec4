import type { RouterContextProvider } from "react-router";
import { getAnonymousSupabase, getDeviceProof } from "#app/session/supabase.ts";
import type { Refusal } from "./refusal.ts";
import { log } from "#app/lib/log.server.ts";

const maxSubject = 320;

/**
 * Counts an attempt of the visitor's at an account, in the database, so that all servers
 * share the count. It asks without the visitor's session: a broken one must not stop it.
 *
 * If counting fails the attempt is let through: each of these calls meets the limits of the
 * authentication service as well, and a fault in a counter must not lock the owner out.
 * @param account the address or id that the attempt is about
 * @returns the refusal if there were too many
 */
export async function takeAttempt(
  context: Readonly<RouterContextProvider>,
  kind: "sign-in" | "sign-up" | "mail" | "code",
  account: string,
): Promise<Refusal | undefined> {
  const device = getDeviceProof(context);
  const { data: wait, error } = await getAnonymousSupabase(context).rpc("take_attempt", {
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
  return { status: 429, code: "over_request_rate_limit", wait };
}
