import type { TransactionSql } from "postgres";
import { isRecent, requireRecent, type SignedIn } from "./bearer.ts";
import { type AuthContext, type AuthRequest, clientAndAccount } from "./context.ts";
import { AuthError } from "./errors.ts";
import { checkPassword } from "./fields.ts";
import { deleteOneTimeTokens, findByCode } from "./one-time-tokens.ts";
import { markEmailVerified } from "./ownership.ts";
import { tryPassword } from "./password-attempts.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";

const dayMilliseconds = 24 * 60 * 60 * 1000;

interface PasswordFields {
  password: string;
  current_password?: string | null | undefined;
  nonce?: string | null | undefined;
}

/** Checks a new password and returns its hash. Throws AuthError (CONTRACT.md, "PUT /user"). */
export async function newPasswordHash(
  context: AuthContext,
  c: AuthRequest,
  signedIn: SignedIn,
  fields: PasswordFields,
): Promise<string> {
  const { settings, now } = context;
  const { user, session } = signedIn;
  checkPassword(fields.password, settings);
  if (settings.requireReauthentication && session.created_at.getTime() + dayMilliseconds < now()) {
    await redeemNonce(context, c, user.email, fields.nonce);
  }
  if (!isRecent(context, session.mailed_at)) {
    await requireCurrentPassword(context, c, signedIn, fields.current_password);
  }
  if (await verifyPassword(user.encrypted_password, fields.password)) {
    throw new AuthError(
      422,
      "same_password",
      "New password should be different from the old password.",
    );
  }
  return hashPassword(fields.password);
}

async function redeemNonce(
  context: AuthContext,
  c: AuthRequest,
  email: string,
  code: string | null | undefined,
): Promise<void> {
  if (!code) {
    throw new AuthError(
      400,
      "reauthentication_needed",
      "Password update requires reauthentication",
    );
  }
  const key = clientAndAccount(c, email);
  await context.limits.take("wrongMailedCode", key);
  const found = await context.db.begin(async (tx) => {
    const token = await findByCode(tx, context, { email, code, types: ["reauthentication_token"] });
    if (token) {
      await tx`delete from auth.one_time_tokens where id = ${token.id}`;
      await markEmailVerified(tx, context, token.user_id);
    }
    return token;
  });
  if (!found) {
    throw new AuthError(422, "reauthentication_not_valid", "Nonce has expired or is invalid");
  }
  await context.limits.refund("wrongMailedCode", key);
}

async function requireCurrentPassword(
  context: AuthContext,
  c: AuthRequest,
  signedIn: SignedIn,
  current: string | null | undefined,
): Promise<void> {
  const { user } = signedIn;
  if (!user.encrypted_password) {
    requireRecent(context, signedIn);
    return;
  }
  const message = "Current password required when setting new password.";
  if (!current) {
    throw new AuthError(400, "current_password_required", message);
  }
  if (!(await tryPassword(context, c, { email: user.email, user }, current))) {
    throw new AuthError(400, "current_password_invalid", message);
  }
}

/** Also ends the other sessions and deletes mailed tokens and a pending change of address. */
export async function changePassword(
  tx: TransactionSql,
  context: AuthContext,
  { user, session }: SignedIn,
  passwordHash: string,
): Promise<void> {
  await tx`
    update auth.users set encrypted_password = ${passwordHash}, confirmation_sent_at = null,
      recovery_sent_at = null, email_change = '', email_change_sent_at = null,
      email_change_confirm_status = 0, reauthentication_sent_at = null,
      updated_at = ${new Date(context.now())}
    where id = ${user.id}`;
  await deleteOneTimeTokens(tx, user.id);
  await tx`delete from auth.sessions where user_id = ${user.id} and id <> ${session.id}`;
}
