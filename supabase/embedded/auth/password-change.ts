import type { Sql } from "#embedded/sql.ts";
import { isRecent, requireProof, type SignedIn } from "./bearer.ts";
import type { AuthContext, AuthRequest } from "./context.ts";
import { AuthError } from "./errors.ts";
import { checkPassword } from "./fields.ts";
import { deleteOneTimeTokens } from "./one-time-tokens.ts";
import { hashPassword, tryPassword, verifyPassword } from "./passwords.ts";

/** Checks a new password and returns its hash. Throws AuthError 400, 422 or 429. */
export async function newPasswordHash(
  context: AuthContext,
  c: AuthRequest,
  signedIn: SignedIn,
  { password, current }: { password: string; current: string | undefined },
): Promise<string> {
  const { user, session } = signedIn;
  checkPassword(password);
  if (!isRecent(context, session.mailed_at)) {
    await requireCurrentPassword(context, c, signedIn, current);
  }
  if (await verifyPassword(user.encrypted_password, password)) {
    throw new AuthError(
      422,
      "same_password",
      "New password should be different from the old password.",
    );
  }
  return hashPassword(password);
}

async function requireCurrentPassword(
  context: AuthContext,
  c: AuthRequest,
  signedIn: SignedIn,
  current: string | undefined,
): Promise<void> {
  const { user } = signedIn;
  if (!user.encrypted_password) {
    requireProof(context, signedIn);
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
  tx: Sql,
  context: AuthContext,
  { user, session }: SignedIn,
  passwordHash: string,
): Promise<void> {
  await tx`
    update auth.users set encrypted_password = ${passwordHash}, confirmation_sent_at = null,
      recovery_sent_at = null, email_change = '', email_change_sent_at = null,
      email_change_confirm_status = 0, updated_at = ${new Date(context.now())}
    where id = ${user.id}`;
  await deleteOneTimeTokens(tx, user.id);
  await tx`delete from auth.sessions where user_id = ${user.id} and id <> ${session.id}`;
}
