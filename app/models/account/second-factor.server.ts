import type { Supabase } from "#app/models/supabase.ts";
import { type Attempts, clearAttempts, takeAttempt } from "./attempts.server.ts";
import { type AuthRefusal, refusalOf } from "./refusal.ts";

/** Raises the session to AAL2. Returns a refusal if no factor accepts the code. */
export async function verifyCode(
  supabase: Supabase,
  attempts: Attempts,
  { id, factors }: { id: string; factors: { id: string }[] },
  code: string,
): Promise<AuthRefusal | undefined> {
  const limited = await takeAttempt(attempts, "code", id);
  if (limited) {
    return limited;
  }
  let refusal: AuthRefusal | undefined;
  for (const factor of factors) {
    const { error } = await supabase.auth.mfa.challengeAndVerify({ factorId: factor.id, code });
    if (!error) {
      await clearAttempts(attempts, "code", id);
      return undefined;
    }
    refusal = refusalOf(error);
  }
  return refusal;
}
