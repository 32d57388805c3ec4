import postgres, { type TransactionSql } from "postgres";
import type { AuthContext } from "./context.ts";
import { AuthError, emailExists } from "./errors.ts";
import { deleteOneTimeTokens, type OneTimeToken } from "./one-time-tokens.ts";
import { isBanned, reloadUser, type User } from "./users.ts";

/**
 * Does what the owner of a mailed token, just found and locked, may do: confirms the address, lets
 * them in, or changes the address. The user as they are now, or undefined when a change of address
 * still waits for the mail to the other address. Throws 403 user_banned, 422 email_exists.
 */
export async function redeem(
  tx: TransactionSql,
  context: AuthContext,
  token: OneTimeToken,
): Promise<User | undefined> {
  const user = await reloadUser(tx, token.user_id);
  if (isBanned(user, context.now())) {
    throw new AuthError(403, "user_banned", "User is banned");
  }
  if (token.token_type.startsWith("email_change")) {
    const isEnough = !context.settings.confirmEmail && token.token_type.endsWith("_new");
    if (!isEnough && user.email_change_confirm_status === 0) {
      await tx`delete from auth.one_time_tokens where id = ${token.id}`;
      await tx`update auth.users set email_change_confirm_status = 1 where id = ${user.id}`;
      return undefined;
    }
    await changeEmail(tx, context, user);
  } else if (!user.email_confirmed_at) {
    await confirmEmail(tx, context, user.id);
  }
  await deleteOneTimeTokens(tx, user.id);
  return reloadUser(tx, user.id);
}

async function changeEmail(tx: TransactionSql, context: AuthContext, user: User): Promise<void> {
  const now = new Date(context.now());
  await tx`
    update auth.users set email = email_change, email_change = '', email_change_confirm_status = 0,
      email_confirmed_at = coalesce(email_confirmed_at, ${now}), updated_at = ${now}
    where id = ${user.id}`.catch((error: unknown) => {
    throw isUniqueViolation(error) ? emailExists() : error;
  });
  await tx`
    update auth.identities set updated_at = ${now}, identity_data = identity_data
      || jsonb_build_object('email', ${user.email_change}::text, 'email_verified', true)
    where user_id = ${user.id} and provider = 'email'`;
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === "23505";
}

async function confirmEmail(tx: TransactionSql, context: AuthContext, userId: string) {
  const now = new Date(context.now());
  await tx`
    update auth.users set email_confirmed_at = ${now}, updated_at = ${now},
      raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || '{"email_verified": true}'
    where id = ${userId}`;
  await markEmailVerified(tx, context, userId);
}

/** Notes that a mail to the account's address was used. Where confirmation is off, only this tells. */
export async function markEmailVerified(tx: TransactionSql, context: AuthContext, userId: string) {
  await tx`
    update auth.identities set updated_at = ${new Date(context.now())},
      identity_data = identity_data || '{"email_verified": true}'
    where user_id = ${userId} and provider = 'email'`;
}
