import { DatabaseError } from "pg";
import type { Sql } from "#embedded/sql.ts";
import type { AuthContext } from "./context.ts";
import { AuthError, emailExists } from "./errors.ts";
import { deleteOneTimeTokens, type OneTimeToken } from "./one-time-tokens.ts";
import { isBanned, isVerified, reloadUser, type User } from "./users.ts";

/**
 * Redeems a token whose row is locked. `hasSession`: the request has a session of the account.
 * Returns the account and the address that it had, or undefined while the other address has not confirmed. Throws AuthError 403 or 422.
 */
export async function redeem(
  tx: Sql,
  context: AuthContext,
  token: OneTimeToken,
  hasSession: boolean,
): Promise<{ user: User; formerEmail: string } | undefined> {
  const user = await reloadUser(tx, token.user_id);
  if (isBanned(user, context.now())) {
    throw new AuthError(403, "user_banned", "User is banned");
  }
  if (token.token_type.startsWith("email_change")) {
    const isNew = token.token_type === "email_change_token_new";
    const isEnough = isNew && !context.confirmEmail;
    if (!isEnough && user.email_change_confirm_status === 0) {
      await tx`delete from auth.one_time_tokens where id = ${token.id}`;
      await tx`update auth.users set email_change_confirm_status = 1 where id = ${user.id}`;
      return undefined;
    }
    await changeEmail(tx, context, user, isNew && hasSession);
  } else if (token.token_type === "confirmation_token" && !user.email_confirmed_at) {
    await confirmEmail(tx, context, user.id);
  } else if (hasSession) {
    await markEmailVerified(tx, context, user.id);
  } else if (!isVerified(user)) {
    await takeOver(tx, context, user);
  }
  await deleteOneTimeTokens(tx, user.id);
  return { user: await reloadUser(tx, user.id), formerEmail: user.email };
}

async function changeEmail(
  tx: Sql,
  context: AuthContext,
  user: User,
  verified: boolean,
): Promise<void> {
  const now = new Date(context.now());
  await tx`
    update auth.users set email = email_change, email_change = '', email_change_confirm_status = 0,
      email_confirmed_at = coalesce(email_confirmed_at, ${now}), updated_at = ${now}
    where id = ${user.id}`.catch((error: unknown) => {
    throw error instanceof DatabaseError && error.code === "23505" ? emailExists() : error;
  });
  // `email_changed` is ours. By it, rules know that the account did not sign up with this address.
  const claims = { email: user.email_change, email_verified: verified, email_changed: true };
  await tx`
    update auth.identities
    set updated_at = ${now}, identity_data = identity_data || ${claims}
    where user_id = ${user.id} and provider = 'email'`;
}

async function confirmEmail(tx: Sql, context: AuthContext, userId: string) {
  const now = new Date(context.now());
  await tx`
    update auth.users set email_confirmed_at = ${now}, updated_at = ${now},
      raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || '{"email_verified": true}'
    where id = ${userId}`;
  await markEmailVerified(tx, context, userId);
}

async function markEmailVerified(tx: Sql, context: AuthContext, userId: string): Promise<void> {
  await tx`
    update auth.identities set updated_at = ${new Date(context.now())},
      identity_data = (identity_data || '{"email_verified": true}') - 'email_changed'
    where user_id = ${userId} and provider = 'email'`;
}

/**
 * Hands an unverified account over to the reader of its mail. Deletes all that was set up before.
 */
async function takeOver(tx: Sql, context: AuthContext, { id, email }: User): Promise<void> {
  const now = new Date(context.now());
  const claims = { sub: id, email, email_verified: true, phone_verified: false };
  await tx`
    update auth.users set encrypted_password = null, raw_user_meta_data = ${claims},
      email_confirmed_at = coalesce(email_confirmed_at, ${now}), email_change = '',
      email_change_sent_at = null, email_change_confirm_status = 0, updated_at = ${now}
    where id = ${id}`;
  await tx`delete from auth.sessions where user_id = ${id}`;
  await tx`delete from auth.mfa_factors where user_id = ${id}`;
  await tx`delete from auth.factor_locks where user_id = ${id}`;
  await tx`delete from auth.identities where user_id = ${id}`;
  await tx`
    insert into auth.identities
      (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
    values (${id}, ${id}, ${claims}, 'email', ${now}, ${now}, ${now})`;
}
