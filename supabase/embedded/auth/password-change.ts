import type { TransactionSql } from "postgres";
import type { SignedIn } from "./bearer.ts";
import { markEmailVerified } from "./confirmations.ts";
import type { AuthContext } from "./context.ts";
import { AuthError } from "./errors.ts";
import { checkPassword } from "./fields.ts";
import { deleteOneTimeTokens, findByCode } from "./one-time-tokens.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";

const recentMilliseconds = 24 * 60 * 60 * 1000;

/**
 * The hash of the user's new password, after the checks that the settings ask for. Throws
 * 422 weak_password or same_password, 400 reauthentication_needed, 422 reauthentication_not_valid,
 * 400 current_password_required or current_password_invalid.
 */
export async function newPasswordHash(
  context: AuthContext,
  { user, session, claims }: SignedIn,
  given: {
    password: string;
    current_password?: string | null | undefined;
    nonce?: string | null | undefined;
  },
): Promise<string> {
  const { settings } = context;
  checkPassword(given.password, settings);
  const isRecent = session.created_at.getTime() + recentMilliseconds > context.now();
  if (settings.requireReauthentication && !isRecent) {
    await useNonce(context, user.email, given.nonce);
  }
  if (settings.requireCurrentPassword && user.encrypted_password && !beganWithMail(claims["amr"])) {
    await checkCurrent(user.encrypted_password, given.current_password);
  }
  if (await verifyPassword(user.encrypted_password, given.password)) {
    throw new AuthError(
      422,
      "same_password",
      "New password should be different from the old password.",
    );
  }
  return hashPassword(given.password);
}

async function useNonce(context: AuthContext, email: string, code: string | null | undefined) {
  if (!code) {
    throw new AuthError(
      400,
      "reauthentication_needed",
      "Password update requires reauthentication",
    );
  }
  const found = await context.db.begin(async (tx) => {
    const types = ["reauthentication_token" as const];
    const token = await findByCode(tx, context, { email, code, types });
    if (token) {
      await tx`delete from auth.one_time_tokens where id = ${token.id}`;
    }
    return token;
  });
  if (!found) {
    throw new AuthError(422, "reauthentication_not_valid", "Nonce has expired or is invalid");
  }
}

function beganWithMail(amr: unknown): boolean {
  const methods = Array.isArray(amr) ? amr.map((entry: { method?: unknown }) => entry.method) : [];
  return methods.some((method) => method === "otp" || method === "recovery");
}

async function checkCurrent(stored: string, current: string | null | undefined): Promise<void> {
  const text = "Current password required when setting new password.";
  if (!current) {
    throw new AuthError(400, "current_password_required", text);
  }
  if (!(await verifyPassword(stored, current))) {
    throw new AuthError(400, "current_password_invalid", text);
  }
}

/**
 * Stores the hash, ends the user's other sessions, and voids everything mailed so far and a change
 * of address that waits: whoever asked for it could have it mailed again.
 */
export async function changePassword(
  tx: TransactionSql,
  context: AuthContext,
  { user, session, claims }: SignedIn,
  passwordHash: string,
): Promise<void> {
  await tx`
    update auth.users set encrypted_password = ${passwordHash}, confirmation_sent_at = null,
      recovery_sent_at = null, email_change = '', email_change_sent_at = null,
      email_change_confirm_status = 0, reauthentication_sent_at = null, updated_at = ${new Date(context.now())}
    where id = ${user.id}`;
  await deleteOneTimeTokens(tx, user.id);
  await tx`delete from auth.sessions where user_id = ${user.id} and id <> ${session.id}`;
  // Not when the mail is used: whoever had this account without one is out only now.
  if (beganWithMail(claims["amr"])) {
    await markEmailVerified(tx, context, user.id);
  }
}
