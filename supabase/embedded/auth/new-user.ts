import type { TransactionSql } from "postgres";
import { type Metadata, refuseLargeMetadata, type User } from "./users.ts";

/** Returns a new account with one identity, without storing it. */
export function newUser(params: {
  email: string;
  passwordHash: string;
  data: Metadata;
  confirmed: boolean;
  now: number;
}): User {
  const { email, data, confirmed } = params;
  const now = new Date(params.now);
  const id = crypto.randomUUID();
  const claims = { ...data, email, email_verified: false, phone_verified: false, sub: id };
  return {
    id,
    aud: "authenticated",
    role: "authenticated",
    email,
    encrypted_password: params.passwordHash,
    email_confirmed_at: confirmed ? now : null,
    invited_at: null,
    phone: null,
    phone_confirmed_at: null,
    confirmation_sent_at: confirmed ? null : now,
    confirmed_at: confirmed ? now : null,
    recovery_sent_at: null,
    email_change: "",
    email_change_sent_at: null,
    email_change_confirm_status: 0,
    reauthentication_sent_at: null,
    last_sign_in_at: null,
    raw_app_meta_data: { provider: "email", providers: ["email"] },
    raw_user_meta_data: { ...claims, email_verified: confirmed },
    created_at: now,
    updated_at: now,
    banned_until: null,
    is_anonymous: false,
    identities: [
      {
        identity_id: crypto.randomUUID(),
        id,
        user_id: id,
        identity_data: claims,
        provider: "email",
        last_sign_in_at: now,
        created_at: now,
        updated_at: now,
        email,
      },
    ],
    factors: [],
  };
}

/** Stores the account. Returns false if its address is taken. */
export async function insertUser(tx: TransactionSql, user: User): Promise<boolean> {
  const inserted = await tx`
    insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at,
      confirmation_sent_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
    values (${user.id}, ${user.aud}, ${user.role}, ${user.email}, ${user.encrypted_password},
      ${user.email_confirmed_at}, ${user.confirmation_sent_at}, ${tx.json(user.raw_app_meta_data)},
      ${tx.json(user.raw_user_meta_data)}, ${user.created_at}, ${user.updated_at})
    on conflict (email) where not is_sso_user do nothing`.catch(refuseLargeMetadata);
  if (inserted.count === 0) {
    return false;
  }
  for (const identity of user.identities) {
    await tx`
      insert into auth.identities (id, provider_id, user_id, identity_data, provider,
        last_sign_in_at, created_at, updated_at)
      values (${identity.identity_id}, ${identity.id}, ${identity.user_id},
        ${tx.json(identity.identity_data)}, ${identity.provider}, ${identity.last_sign_in_at},
        ${identity.created_at}, ${identity.updated_at})`;
  }
  return true;
}
