import type { Sql } from "#embedded/sql.ts";
import { accountRole, type User } from "./users.ts";

/** Returns a new account with one identity, without storing it. */
export function newUser(params: {
  email: string;
  passwordHash: string;
  confirmed: boolean;
  now: number;
}): User {
  const { email, confirmed } = params;
  const now = new Date(params.now);
  const time = now.toISOString();
  const id = crypto.randomUUID();
  const claims = { email, email_verified: false, phone_verified: false, sub: id };
  return {
    id,
    email,
    encrypted_password: params.passwordHash,
    email_confirmed_at: confirmed ? now : null,
    confirmation_sent_at: confirmed ? null : now,
    email_change: "",
    email_change_sent_at: null,
    email_change_confirm_status: 0,
    last_sign_in_at: null,
    raw_app_meta_data: { provider: "email", providers: ["email"] },
    raw_user_meta_data: { ...claims, email_verified: confirmed },
    created_at: now,
    updated_at: now,
    banned_until: null,
    deleted_at: null,
    identities: [
      {
        identity_id: crypto.randomUUID(),
        id,
        user_id: id,
        identity_data: claims,
        provider: "email",
        last_sign_in_at: time,
        created_at: time,
        updated_at: time,
        email,
      },
    ],
    factors: [],
  };
}

/** Stores the account. Returns false if its address is taken. */
export async function insertUser(tx: Sql, user: User): Promise<boolean> {
  const inserted = await tx`
    insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at,
      confirmation_sent_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
    values (${user.id}, ${accountRole}, ${accountRole}, ${user.email}, ${user.encrypted_password},
      ${user.email_confirmed_at}, ${user.confirmation_sent_at}, ${user.raw_app_meta_data},
      ${user.raw_user_meta_data}, ${user.created_at}, ${user.updated_at})
    on conflict (email) do nothing`;
  if (inserted.count === 0) {
    return false;
  }
  for (const identity of user.identities) {
    await tx`
      insert into auth.identities (id, provider_id, user_id, identity_data, provider,
        last_sign_in_at, created_at, updated_at)
      values (${identity.identity_id}, ${identity.id}, ${identity.user_id},
        ${identity.identity_data}, ${identity.provider}, ${identity.last_sign_in_at},
        ${identity.created_at}, ${identity.updated_at})`;
  }
  return true;
}
