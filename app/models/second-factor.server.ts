import type { Account } from "./account.ts";
import { type Attempts, takeAttempt } from "./attempts.server.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import type { Supabase } from "./supabase.ts";
import { log } from "#app/lib/log.server.ts";

/**
 * Checks a code of any of the account's apps. The client's session then has its second factor,
 * and is authenticated again.
 * @returns the refusal of the last app, or of the limit
 */
export async function verifyCode(
  { auth: { mfa } }: Supabase,
  attempts: Attempts,
  { id, factors }: Account,
  code: string,
): Promise<Refusal | undefined> {
  const limited = await takeAttempt(attempts, "code", id);
  if (limited) {
    return limited;
  }
  let refusal: Refusal | undefined;
  for (const factor of factors) {
    const { error } = await mfa.challengeAndVerify({ factorId: factor.id, code });
    if (!error) {
      return undefined;
    }
    refusal = refusalOf(error);
  }
  return refusal;
}

/**
 * Checks the account's password in a session of its own, which ends at once.
 * @param supabase a client without a session. If its requests carry a session's access token,
 *   that session is authenticated again.
 */
export async function checkPassword(
  { auth }: Supabase,
  attempts: Attempts,
  { email }: Account,
  password: string,
): Promise<Refusal | undefined> {
  const limited = await takeAttempt(attempts, "sign-in", email);
  if (limited) {
    return limited;
  }
  const { error } = await auth.signInWithPassword({ email, password });
  if (error) {
    return refusalOf(error);
  }
  const { error: leftover } = await auth.signOut({ scope: "local" });
  if (leftover) {
    log.error("A session for a password check stayed open", { code: leftover.code });
  }
  return undefined;
}

/**
 * Takes a recovery code in place of a lost second factor, which is removed with it; the
 * database counts the attempt.
 * @returns the refusal if the account has no such code, or of the limit
 */
export async function redeemRecoveryCode(
  supabase: Supabase,
  code: string,
): Promise<Refusal | undefined> {
  const { data, error, status } = await supabase.rpc("use_recovery_code", { code });
  if (data) {
    return undefined;
  }
  if (!error) {
    return { status: 422, code: "recovery_code_invalid" };
  }
  if (status !== 429) {
    return { status: 503, code: error.code };
  }
  return { status, code: "over_request_rate_limit", wait: Number(error.details) || 60 };
}

/** How many recovery codes are left; undefined if that could not be read. */
export async function countRecoveryCodes(supabase: Supabase): Promise<number | undefined> {
  const { data, error } = await supabase.rpc("count_recovery_codes");
  if (error) {
    log.error("Recovery codes were not counted", { code: error.code });
  }
  return data ?? undefined;
}

/** Ten new recovery codes in place of all earlier ones. @throws if the database refuses */
export async function renewRecoveryCodes(supabase: Supabase): Promise<string[]> {
  const { data, error } = await supabase.rpc("renew_recovery_codes");
  if (error) {
    throw new Error(`Recovery codes were not made: ${error.code}`);
  }
  return data;
}
