import { z } from "zod";
import { takeAttempt } from "#app/models/account/attempts.server.ts";
import { type AuthRefusal, refusalOf } from "#app/models/account/refusal.ts";
import { endReplacedSession, getAccessToken } from "#app/models/account/sessions.server.ts";
import { getSeparateSupabase, getAttempts, getSupabase } from "#app/session/clients.server.ts";
import type { RouterContext } from "#app/session/site-context.server.ts";

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

/** Redeems a mail's code. Attempts are limited by address and by account. */
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
  const { auth } = getSeparateSupabase(context, previous);
  const { data, error } = await auth.verifyOtp(proof);
  if (error) {
    return refusalOf(error);
  }
  if (data.session) {
    await getSupabase(context).auth.setSession(data.session);
    await endReplacedSession(getSeparateSupabase(context), previous);
  }
  return { type: proof.type, isSignedIn: data.session !== null, isHalf: false };
}

/** Uses a separate session, so that the visitor's keeps its assurance level. */
async function changeEmail(context: RouterContext, proof: Proof): Promise<Confirmed | AuthRefusal> {
  const ownClient = getSupabase(context);
  const { auth } = getSeparateSupabase(context, await getAccessToken(ownClient));
  const { data, error } = await auth.verifyOtp(proof);
  if (error) {
    return refusalOf(error);
  }
  await endReplacedSession(getSeparateSupabase(context), data.session?.access_token);
  const { data: own } = await ownClient.auth.getUser();
  return { type: proof.type, isSignedIn: own.user !== null, isHalf: data.session === null };
}
