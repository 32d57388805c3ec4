import { takeAttempt } from "#app/models/attempts.server.ts";
import { type AuthRefusal, refusalOf } from "#app/models/refusal.ts";
import { endReplacedSession, getAccessToken } from "#app/models/sessions.server.ts";
import type { RouterContext } from "#app/session/site-context.server.ts";
import { getAnonymousSupabase, getAttempts, getSupabase } from "#app/session/supabase.server.ts";
import type { ConfirmationType } from "./confirmation.ts";

export interface Outcome {
  type: ConfirmationType;
  isSignedIn: boolean;
  /** Whether the mail to the other address must also be confirmed. */
  isHalf: boolean;
}

type Proof =
  | { token_hash: string; type: ConfirmationType }
  | { email: string; token: string; type: ConfirmationType };

/** Redeems a mail's link: a token hash, or a PKCE code. */
export async function confirmByLink(
  context: RouterContext,
  type: ConfirmationType,
  link: URLSearchParams,
): Promise<Outcome | AuthRefusal> {
  const tokenHash = link.get("token_hash");
  if (tokenHash) {
    return confirm(context, { token_hash: tokenHash, type });
  }
  const supabase = getSupabase(context);
  const previous = await getAccessToken(supabase);
  const { data, error } = await supabase.auth.exchangeCodeForSession(link.get("code") ?? "");
  if (error) {
    return refusalOf(error);
  }
  await endReplacedSession(getAnonymousSupabase(context), previous);
  const isRecovery = (data as { redirectType?: string | null }).redirectType === "recovery";
  return { type: isRecovery ? "recovery" : type, isSignedIn: true, isHalf: false };
}

/** Redeems a mail's six digits. Attempts are limited by address and by account. */
export async function confirmByCode(
  context: RouterContext,
  type: ConfirmationType,
  { email, code }: { email: string; code: string },
): Promise<Outcome | AuthRefusal> {
  const limited = await takeAttempt(getAttempts(context), "code", email);
  return limited ?? confirm(context, { email, token: code, type });
}

function confirm(context: RouterContext, proof: Proof): Promise<Outcome | AuthRefusal> {
  return proof.type === "email_change" ? changeEmail(context, proof) : signIn(context, proof);
}

// The visitor's token proves that the reader of the mail also has the session
// (supabase/embedded/auth/CONTRACT.md, "Verified addresses").
async function signIn(context: RouterContext, proof: Proof): Promise<Outcome | AuthRefusal> {
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
async function changeEmail(context: RouterContext, proof: Proof): Promise<Outcome | AuthRefusal> {
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
