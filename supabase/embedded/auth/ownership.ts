import type { TransactionSql } from "postgres";
import type { AuthContext } from "./context.ts";
import type { User } from "./users.ts";

/** Whether a mail has proved the account's address: CONTRACT.md, "Verified addresses". */
export function isVerified({ email, identities }: User): boolean {
  return identities.some(
    ({ provider, identity_data: claims }) =>
      provider === "email" && claims["email"] === email && claims["email_verified"] === true,
  );
}

export async function markEmailVerified(
  tx: TransactionSql,
  context: AuthContext,
  userId: string,
): Promise<void> {
  await tx`
    update auth.identities set updated_at = ${new Date(context.now())},
      identity_data = (identity_data || '{"email_verified": true}') - 'email_changed'
    where user_id = ${userId} and provider = 'email'`;
}

/** Hands an unverified account to the reader of its mail. Deletes all that was set up before. */
export async function takeOver(
  tx: TransactionSql,
  context: AuthContext,
  { id, email }: User,
): Promise<void> {
  const now = new Date(context.now());
  const claims = { sub: id, email, email_verified: true, phone_verified: false };
  await tx`
    update auth.users set encrypted_password = null, raw_user_meta_data = ${tx.json(claims)},
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
    values (${id}, ${id}, ${tx.json(claims)}, 'email', ${now}, ${now}, ${now})`;
}
