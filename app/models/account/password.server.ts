import { z } from "zod";
import { logFailed } from "#app/lib/log.server.ts";
import type { Supabase } from "#app/models/supabase.ts";
import type { Attempts } from "./attempts.server.ts";
import { type Account, cameByMail } from "./current-account.ts";
import { type AuthRefusal, refusalOf } from "./refusal.ts";
import { codeSchema, newPasswordSchema } from "./schemas.ts";
import { verifyCode } from "./second-factor.server.ts";
import { signInAgain } from "./sign-in.server.ts";

const currentText = "اكتب كلمة المرور الحالية.";

export const passwordChangeSchema = z.object({
  current: z.string().min(1, currentText).max(1000, currentText).optional(),
  code: z.optional(codeSchema.shape.code),
  ...newPasswordSchema.shape,
});

/** The fields of the password form. Shortly after a mail's link, only the new password is needed. */
export function passwordFields(account: Account): ("current" | "code" | "password")[] {
  if (cameByMail(account)) {
    return ["password"];
  }
  return account.factors.length > 0 ? ["current", "code", "password"] : ["current", "password"];
}

interface PasswordRefusal {
  field: "current" | "code" | "password";
  refusal: AuthRefusal;
}

/** Sets the password in a session that a mail's link began within ten minutes (`cameByMail`). */
export async function setPassword(
  { auth }: Supabase,
  password: string,
): Promise<PasswordRefusal | undefined> {
  const { error } = await auth.updateUser({ password });
  return error ? { field: "password", refusal: refusalOf(error) } : undefined;
}

/**
 * Changes the password. The service may require a recent sign-in, so the client `separate` first
 * signs in with the current password and, if there is a second factor, a code. The change ends all
 * other sessions, so this new session then replaces that of `own`.
 */
export async function changePassword(
  { own, separate }: { own: Supabase; separate: Supabase },
  attempts: Attempts,
  account: Account,
  given: { current: string; code: string; password: string },
): Promise<PasswordRefusal | undefined> {
  const { current, code, password } = given;
  const signedIn = await signInAgain(separate, attempts, account.email, current);
  if (signedIn.refusal) {
    return { field: "current", refusal: signedIn.refusal };
  }
  const { password: accepted } = signedIn;
  const { auth } = separate;
  const refused = await finish();
  if (refused) {
    const { error: stillOpen } = await auth.signOut({ scope: "local" });
    if (stillOpen) {
      logFailed("A session for a password change stayed open", { code: stillOpen.code });
    }
  }
  return refused;

  async function finish(): Promise<PasswordRefusal | undefined> {
    const wrongCode =
      account.factors.length > 0 ? await verifyCode(separate, attempts, account, code) : undefined;
    if (wrongCode) {
      return { field: "code", refusal: wrongCode };
    }
    const change = await auth.updateUser({ password, current_password: accepted });
    if (change.error) {
      return { field: "password", refusal: refusalOf(change.error) };
    }
    const { data } = await auth.getSession();
    if (data.session) {
      await own.auth.setSession(data.session);
    }
    return undefined;
  }
}
