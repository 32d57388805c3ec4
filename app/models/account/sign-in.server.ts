import { logFailed } from "#app/lib/log.server.ts";
import { composed } from "#app/lib/plain-text.ts";
import type { Supabase } from "#app/models/supabase.ts";
import { type Attempts, clearAttempts, takeAttempt } from "./attempts.server.ts";
import type { Account } from "./current-account.ts";
import { type AuthRefusal, refusalOf } from "./refusal.ts";

/**
 * Checks the password by a sign-in whose session ends at once. With a bearer token in the client,
 * that session counts as recently authenticated.
 */
export async function checkPassword(
  supabase: Supabase,
  attempts: Attempts,
  { email }: Account,
  password: string,
): Promise<AuthRefusal | undefined> {
  const { refusal } = await signInAgain(supabase, attempts, email, password);
  if (refusal) {
    return refusal;
  }
  const { error: stillOpen } = await supabase.auth.signOut({ scope: "local" });
  if (stillOpen) {
    logFailed("A session for a password check stayed open", { code: stillOpen.code });
  }
  return undefined;
}

/** Opens a session of its own with the account's password. Returns the form of it that was accepted. */
export async function signInAgain(
  supabase: Supabase,
  attempts: Attempts,
  email: string,
  typed: string,
): Promise<{ refusal: AuthRefusal } | { refusal?: undefined; password: string }> {
  const limited = await takeAttempt(attempts, "sign-in", email);
  if (limited) {
    return { refusal: limited };
  }
  const { error, password } = await signIn(supabase, email, typed);
  if (error) {
    return { refusal: refusalOf(error) };
  }
  await clearAttempts(attempts, "sign-in", email);
  return { password };
}

/**
 * Signs in with a password in NFC, as the schema for new ones makes them, and then as it was typed:
 * an older one may be stored so. Both are one attempt.
 */
export async function signIn({ auth }: Supabase, email: string, typed: string) {
  const password = composed(typed);
  const answer = await auth.signInWithPassword({ email, password });
  if (password === typed || answer.error?.code !== "invalid_credentials") {
    return { ...answer, password };
  }
  return { ...(await auth.signInWithPassword({ email, password: typed })), password: typed };
}
