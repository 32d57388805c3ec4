import type { RouterContextProvider } from "react-router";
import * as z from "zod/mini";
import { getAnonymousSupabase, getSupabase } from "#app/session/supabase.ts";
import { type Account, cameByMail, codeSchema, newPasswordSchema } from "./account.ts";
import { takeAttempt } from "./attempts.server.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import { verifyCode } from "./second-factor.server.ts";
import { log } from "#app/lib/log.server.ts";

type Context = Readonly<RouterContextProvider>;

const currentText = "اكتب كلمة المرور الحالية.";

export const passwordChangeSchema = z.object({
  current: z.optional(
    z.string().check(z.minLength(1, currentText), z.maxLength(1000, currentText)),
  ),
  code: z.optional(codeSchema.shape.code),
  ...newPasswordSchema.shape,
});

/**
 * The fields that a change asks for: the new password alone in a session that a mail has just
 * begun, which took the place of the old one; else the current one too, and a code of the second
 * factor if there is one.
 */
export function passwordFields(account: Account): ("current" | "code" | "password")[] {
  if (cameByMail(account)) {
    return ["password"];
  }
  return account.factors.length > 0 ? ["current", "code", "password"] : ["current", "password"];
}

export interface PasswordRefusal {
  /** What was refused: the current password, the code, or the new password. */
  field: "current" | "code" | "password";
  refusal: Refusal;
}

/** Sets the password in the visitor's session, which a mail has just begun. */
export async function setPassword(
  context: Context,
  password: string,
): Promise<PasswordRefusal | undefined> {
  const { error } = await getSupabase(context).auth.updateUser({ password });
  return error ? { field: "password", refusal: refusalOf(error) } : undefined;
}

/**
 * Changes the password in a session of its own, begun with the current one and, if there is a
 * second factor, a code; then it takes the place of the visitor's, which the change has ended. So
 * the authentication service sees a new session and the current password, whatever its settings
 * ask for, and a refusal changes nothing.
 * @param code is not looked at without a second factor
 */
export async function changePassword(
  context: Context,
  account: Account,
  given: { current: string; code: string; password: string },
): Promise<PasswordRefusal | undefined> {
  const { current, code, password } = given;
  const limited = await takeAttempt(context, "sign-in", account.email);
  if (limited) {
    return { field: "current", refusal: limited };
  }
  const { auth } = getAnonymousSupabase(context);
  const { error } = await auth.signInWithPassword({ email: account.email, password: current });
  if (error) {
    return { field: "current", refusal: refusalOf(error) };
  }
  const refused = await finish();
  if (refused) {
    const { error: leftover } = await auth.signOut({ scope: "local" });
    if (leftover) {
      log.error("A session for a password change stayed open", { code: leftover.code });
    }
  }
  return refused;

  async function finish(): Promise<PasswordRefusal | undefined> {
    const wrongCode =
      account.factors.length > 0 ? await verifyCode(context, account, code, auth) : undefined;
    if (wrongCode) {
      return { field: "code", refusal: wrongCode };
    }
    const change = await auth.updateUser({ password, current_password: current });
    if (change.error) {
      return { field: "password", refusal: refusalOf(change.error) };
    }
    const { data } = await auth.getSession();
    if (data.session) {
      await getSupabase(context).auth.setSession(data.session);
    }
    return undefined;
  }
}
