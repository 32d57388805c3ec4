import { type Part, part } from "#embedded/sql-text.ts";
import type { Sql } from "#embedded/sql.ts";
import { AuthError } from "./errors.ts";

type Metadata = Record<string, unknown>;

/** Times are texts as PostgreSQL writes them in jsonb. */
export interface Identity {
  identity_id: string;
  id: string;
  user_id: string;
  identity_data: Metadata;
  provider: string;
  last_sign_in_at: string | null;
  created_at: string;
  updated_at: string;
  email: string;
}

export interface User {
  id: string;
  email: string;
  encrypted_password: string | null;
  email_confirmed_at: Date | null;
  confirmation_sent_at: Date | null;
  email_change: string;
  email_change_sent_at: Date | null;
  email_change_confirm_status: number;
  last_sign_in_at: Date | null;
  raw_app_meta_data: Metadata;
  raw_user_meta_data: Metadata;
  created_at: Date;
  updated_at: Date;
  banned_until: Date | typeof Number.POSITIVE_INFINITY | null;
  deleted_at: Date | null;
  identities: Identity[];
  /** From JSON, of which only the status is read here. */
  factors: { status: "verified" | "unverified" }[];
}

/** The audience and the database role of every account. */
export const accountRole = "authenticated";

/** The columns of a User, from `auth.users u`. */
export const userColumns = part`
      u.id, u.email, u.encrypted_password, u.email_confirmed_at, u.confirmation_sent_at,
      coalesce(u.email_change, '') as email_change, u.email_change_sent_at,
      u.email_change_confirm_status, u.last_sign_in_at,
      coalesce(u.raw_app_meta_data, '{}') as raw_app_meta_data,
      coalesce(u.raw_user_meta_data, '{}') as raw_user_meta_data,
      u.created_at, u.updated_at, u.banned_until, u.deleted_at,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id,
          'identity_data', i.identity_data, 'provider', i.provider,
          'last_sign_in_at', i.last_sign_in_at, 'created_at', i.created_at,
          'updated_at', i.updated_at, 'email', i.email) order by i.created_at), '[]')
        from auth.identities i where i.user_id = u.id) as identities,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'id', f.id, 'created_at', f.created_at, 'updated_at', f.updated_at, 'status', f.status,
          'friendly_name', f.friendly_name, 'factor_type', f.factor_type) order by f.created_at), '[]')
        from auth.mfa_factors f where f.user_id = u.id) as factors`;

/** Returns the account with its identities and factors. `email` must be in lower case. */
export async function findUser(db: Sql, by: { id: string } | { email: string }) {
  const [user] = await db<User>`
    select ${userColumns}
    from auth.users u
    where ${"id" in by ? part`u.id = ${by.id}` : part`u.email = ${by.email}`}`;
  return user;
}

/**
 * Locks an account until the transaction ends. Whatever makes, keeps or changes its sessions, password,
 * address or factors locks it first, before any other row, and then reads the account again. What was read
 * before may have changed, such as the password of a sign-in.
 */
export async function lockUser(tx: Sql, id: string | Part): Promise<void> {
  await tx`select from auth.users where id = ${id} for no key update`;
}

/** Like findUser, but throws AuthError 403 if there is no such account. */
export async function reloadUser(db: Sql, id: string): Promise<User> {
  const user = await findUser(db, { id });
  if (!user) {
    throw new AuthError(403, "user_not_found", "User from sub claim in JWT does not exist");
  }
  return user;
}

/** Whether the account may not be used: it is banned, or marked as deleted. */
export function isBanned(user: Pick<User, "banned_until" | "deleted_at">, now: number): boolean {
  return user.deleted_at !== null || Number(user.banned_until) > now;
}

/** Whether a mail has proved the account's address. Without confirmation, a new account has none. */
export function isVerified({ email, identities }: User): boolean {
  return identities.some(
    ({ provider, identity_data: claims }) =>
      provider === "email" && claims["email"] === email && claims["email_verified"] === true,
  );
}

/** Returns the user as GoTrue does, without secrets. */
export function userJson(user: User) {
  return {
    id: user.id,
    aud: accountRole,
    role: accountRole,
    email: user.email,
    email_confirmed_at: user.email_confirmed_at ?? undefined,
    phone: "",
    confirmation_sent_at: user.confirmation_sent_at ?? undefined,
    confirmed_at: user.email_confirmed_at ?? undefined,
    new_email: user.email_change || undefined,
    email_change_sent_at: user.email_change_sent_at ?? undefined,
    last_sign_in_at: user.last_sign_in_at ?? undefined,
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    factors: user.factors.length === 0 ? undefined : user.factors,
    identities: user.identities,
    created_at: user.created_at,
    updated_at: user.updated_at,
    banned_until: user.banned_until ?? undefined,
    is_anonymous: false,
  };
}
