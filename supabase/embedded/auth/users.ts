import postgres, { type JSONValue, type Sql, type TransactionSql } from "postgres";
import { AuthError, validationFailed } from "./errors.ts";

export type Metadata = Record<string, JSONValue>;

export interface Factor {
  id: string;
  created_at: Date;
  updated_at: Date;
  status: "verified" | "unverified";
  friendly_name: string;
  factor_type: string;
  phone: string | null;
  last_challenged_at: Date | null;
}

export interface Identity {
  identity_id: string;
  id: string;
  user_id: string;
  identity_data: Metadata;
  provider: string;
  last_sign_in_at: Date | null;
  created_at: Date;
  updated_at: Date;
  email: string;
}

export interface User {
  id: string;
  aud: string;
  role: string;
  email: string;
  encrypted_password: string | null;
  email_confirmed_at: Date | null;
  invited_at: Date | null;
  phone: string | null;
  phone_confirmed_at: Date | null;
  confirmation_sent_at: Date | null;
  confirmed_at: Date | null;
  recovery_sent_at: Date | null;
  email_change: string;
  email_change_sent_at: Date | null;
  email_change_confirm_status: number;
  reauthentication_sent_at: Date | null;
  last_sign_in_at: Date | null;
  raw_app_meta_data: Metadata;
  raw_user_meta_data: Metadata;
  created_at: Date;
  updated_at: Date;
  banned_until: Date | null;
  is_anonymous: boolean;
  identities: Identity[];
  factors: Factor[];
}

type Db = Sql | TransactionSql;

/** Returns the account with its identities and factors. `email` must be in lower case. */
export async function findUser(db: Db, by: { id: string } | { email: string }) {
  const [user] = await db<User[]>`
    select u.id, u.aud, u.role, u.email, u.encrypted_password, u.email_confirmed_at, u.invited_at,
      u.phone, u.phone_confirmed_at, u.confirmation_sent_at, u.confirmed_at, u.recovery_sent_at,
      coalesce(u.email_change, '') as email_change, u.email_change_sent_at,
      u.email_change_confirm_status, u.reauthentication_sent_at, u.last_sign_in_at,
      coalesce(u.raw_app_meta_data, '{}') as raw_app_meta_data,
      coalesce(u.raw_user_meta_data, '{}') as raw_user_meta_data,
      u.created_at, u.updated_at, u.banned_until, u.is_anonymous,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id,
          'identity_data', i.identity_data, 'provider', i.provider,
          'last_sign_in_at', i.last_sign_in_at, 'created_at', i.created_at,
          'updated_at', i.updated_at, 'email', i.email) order by i.created_at), '[]')
        from auth.identities i where i.user_id = u.id) as identities,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'id', f.id, 'created_at', f.created_at, 'updated_at', f.updated_at, 'status', f.status,
          'friendly_name', f.friendly_name, 'factor_type', f.factor_type, 'phone', f.phone,
          'last_challenged_at', f.last_challenged_at) order by f.created_at), '[]')
        from auth.mfa_factors f where f.user_id = u.id) as factors
    from auth.users u
    where ${"id" in by ? db`u.id = ${by.id}` : db`u.email = ${by.email} and not u.is_sso_user`}
      and u.deleted_at is null`;
  return user && withDates(user);
}

/** Like findUser, but throws AuthError 403 if there is no such account. */
export async function reloadUser(db: Db, id: string): Promise<User> {
  const user = await findUser(db, { id });
  if (!user) {
    throw new AuthError(403, "user_not_found", "User from sub claim in JWT does not exist");
  }
  return user;
}

// Dates in jsonb are strings in another format.
function withDates(user: User): User {
  return {
    ...user,
    identities: user.identities.map((row) => ({
      ...row,
      last_sign_in_at: dateOrNull(row.last_sign_in_at),
      created_at: new Date(row.created_at),
      updated_at: new Date(row.updated_at),
    })),
    factors: user.factors.map((row) => ({
      ...row,
      last_challenged_at: dateOrNull(row.last_challenged_at),
      created_at: new Date(row.created_at),
      updated_at: new Date(row.updated_at),
    })),
  };
}

function dateOrNull(value: Date | null): Date | null {
  return value && new Date(value);
}

/** Rethrows the error, as 400 validation_failed if the metadata is too large. */
export function refuseLargeMetadata(error: unknown): never {
  const isTooLarge =
    error instanceof postgres.PostgresError && error.constraint_name === "user_metadata_size";
  throw isTooLarge ? validationFailed("User metadata cannot be larger than 16384 bytes") : error;
}

export function isBanned(user: Pick<User, "banned_until">, now: number): boolean {
  return user.banned_until !== null && user.banned_until.getTime() > now;
}

/** Returns the user as GoTrue does, without secrets. */
export function userJson(user: User) {
  return {
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email,
    email_confirmed_at: user.email_confirmed_at ?? undefined,
    invited_at: user.invited_at ?? undefined,
    phone: user.phone ?? "",
    phone_confirmed_at: user.phone_confirmed_at ?? undefined,
    confirmation_sent_at: user.confirmation_sent_at ?? undefined,
    confirmed_at: user.confirmed_at ?? undefined,
    recovery_sent_at: user.recovery_sent_at ?? undefined,
    new_email: user.email_change || undefined,
    email_change_sent_at: user.email_change_sent_at ?? undefined,
    reauthentication_sent_at: user.reauthentication_sent_at ?? undefined,
    last_sign_in_at: user.last_sign_in_at ?? undefined,
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    factors: user.factors.length === 0 ? undefined : user.factors.map(factorJson),
    identities: user.identities,
    created_at: user.created_at,
    updated_at: user.updated_at,
    banned_until: user.banned_until ?? undefined,
    is_anonymous: user.is_anonymous,
  };
}

function factorJson({ friendly_name, phone, ...factor }: Factor) {
  return { ...factor, friendly_name: friendly_name || undefined, phone: phone ?? "" };
}
