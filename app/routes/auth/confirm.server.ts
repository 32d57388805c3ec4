import { z } from "zod";
import { takeAttempt } from "#app/models/attempts.server.ts";
import { type AuthRefusal, refusalOf } from "#app/models/refusal.ts";
import { endReplacedSession, getAccessToken } from "#app/models/sessions.server.ts";
import type { RouterContext } from "#app/session/site-context.server.ts";
import { getAnonymousSupabase, getAttempts, getSupabase } from "#app/session/supabase.server.ts";

/** The `type` of a mail's link or code in Supabase Auth. */
export const confirmationTypeSchema = z
  .enum(["signup", "recovery", "magiclink", "email_change", "email"])
  .catch("email");

type ConfirmationType = z.infer<typeof confirmationTypeSchema>;

export interface Confirmed {
  type: ConfirmationType;
  isSignedIn: boolean;
  /** Whether the mail to the other address must also be confirmed. */
  isHalf: boolean;
}

type Proof =
  | { token_hash: string; type: ConfirmationType }
  | { email: string; token: string; type: ConfirmationType };

/** Redeems a mail's link by its token hash. */
export function confirmByLink(
  context: RouterContext,
  type: ConfirmationType,
  tokenHash: string,
): Promise<Confirmed | AuthRefusal> {
  return confirm(context, { token_hash: tokenHash, type });
}

/** Redeems a mail's six digits. Attempts are limited by address and by account. */
export async function confirmByCode(
  context: RouterContext,
  type: ConfirmationType,
  { email, code }: { email: string; code: string },
): Promise<Confirmed | AuthRefusal> {
  const limited = await takeAttempt(getAttempts(context), "mailed-code", email);
  return limited ?? confirm(context, { email, token: code, type });
}

function confirm(context: RouterContext, proof: Proof): Promise<Confirmed | AuthRefusal> {
  return proof.type === "email_change" ? changeEmail(context, proof) : signIn(context, proof);
}

// The visitor's token proves that the reader of the mail also has the session
// (supabase/embedded/README.md, "Where the authentication differs from GoTrue").
async function signIn(context: RouterContext, proof: Proof): Promise<Confirmed | AuthRefusal> {
  const previous = await getAccessToken(getSupabase(context));
  const { auth } = getAnonymousSupabase(context, previous);
  const { data, error } = await auth.verifyOtp(proof);
  if (error) {
    return refusalOf(error);
  }
  if (data.session) {
    await getSupabase(context).auth.setSession(data.session);
    await endReplacedSession(getAnonymousSupabase(context), previous);
  }
  return { type: proof.type, isSignedIn: data.session !== null, isHalf: false };
}

/** Uses a separate session, so that the visitor's keeps its assurance level. */
async function changeEmail(context: RouterContext, proof: Proof): Promise<Confirmed | AuthRefusal> {
  const visitor = getSupabase(context);
  const { auth } = getAnonymousSupabase(context, await getAccessToken(visitor));
  const { data, error } = await auth.verifyOtp(proof);
  if (error) {
    return refusalOf(error);
  }
  await endReplacedSession(getAnonymousSupabase(context), data.session?.access_token);
  const { data: own } = await visitor.auth.getUser();
  return { type: proof.type, isSignedIn: own.user !== null, isHalf: data.session === null };
}
