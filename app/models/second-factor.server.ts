import type { RouterContextProvider } from "react-router";
import { getAnonymousSupabase, getSupabase } from "#app/session/supabase.ts";
import type { Account } from "./account.ts";
import { takeAttempt } from "./attempts.server.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import { getAccessToken } from "./sessions.server.ts";
import { log } from "#app/lib/log.server.ts";

type Context = Readonly<RouterContextProvider>;

/**
 * Checks a code of any of the account's apps; the session has its second factor then, and is
 * authenticated again.
 * @param auth of the client whose session it is, by default the visitor's
 * @returns the refusal of the last app's, or of the limit
 */
export async function verifyCode(
  context: Context,
  { id, factors }: Account,
  code: string,
  { mfa } = getSupabase(context).auth,
): Promise<Refusal | undefined> {
  const limited = await takeAttempt(context, "code", id);
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
 * Checks the account's password in a session of its own, which ends at once. The visitor's session
 * is authenticated again by it.
 */
export async function checkPassword(
  context: Context,
  { email }: Account,
  password: string,
): Promise<Refusal | undefined> {
  const limited = await takeAttempt(context, "sign-in", email);
  if (limited) {
    return limited;
  }
  const { auth } = getAnonymousSupabase(context, await getAccessToken(context));
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
 * @returns the refusal if the code is none of the account's, or of the limit
 */
export async function redeemRecoveryCode(
  context: Context,
  code: string,
): Promise<Refusal | undefined> {
  const { data, error, status } = await getSupabase(context).rpc("use_recovery_code", { code });
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
export async function countRecoveryCodes(context: Context): Promise<number | undefined> {
  const { data, error } = await getSupabase(context).rpc("count_recovery_codes");
  if (error) {
    log.error("Recovery codes were not counted", { code: error.code });
  }
  return data ?? undefined;
}

/** Ten new recovery codes in place of all earlier ones. @throws if the database refuses */
export async function renewRecoveryCodes(context: Context): Promise<string[]> {
  const { data, error } = await getSupabase(context).rpc("renew_recovery_codes");
  if (error) {
    throw new Error(`Recovery codes were not made: ${error.code}`);
  }
  return data;
}
