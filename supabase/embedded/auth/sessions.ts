import type { Sql } from "#embedded/sql.ts";
import { signAccessToken } from "#embedded/tokens.ts";
import { accessTokenSeconds } from "./constants.ts";
import type { AuthContext, AuthRequest } from "./context.ts";
import { AuthError } from "./errors.ts";
import { startFamily } from "./refresh-tokens.ts";
import { accountRole, findUser, isBanned, lockUser, type User, userJson } from "./users.ts";

/** How a session was authenticated, in GoTrue's names. `otp` is a mailed link or code. */
type AuthMethod = "password" | "otp" | "totp";

const maxUserAgentLength = 256;

/**
 * Creates a session at aal1 for an account that has not changed since it was read. Returns the token
 * response. Throws AuthError 400 invalid_credentials.
 */
export async function createSession(
  tx: Sql,
  context: AuthContext,
  c: AuthRequest,
  read: User,
  method: AuthMethod,
) {
  const user = await lockUnchanged(tx, context, read);
  const now = new Date(context.now());
  const id = crypto.randomUUID();
  await tx`
    insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent)
    values (${id}, ${user.id}, ${now}, ${now}, 'aal1', ${userAgent(c)})`;
  await addMethod(tx, context, { sessionId: id, method, isProof: false });
  const refreshToken = await startFamily(tx, context, { id, user_id: user.id });
  await tx`
    update auth.users set last_sign_in_at = ${now}, updated_at = ${now} where id = ${user.id}`;
  context.log.info("An account signed in", { account: user.id, method });
  const signedIn = { ...user, last_sign_in_at: now, updated_at: now };
  return tokenResponse(tx, context, id, signedIn, refreshToken);
}

/** Locks an account, and reads it again. */
async function lockUnchanged(tx: Sql, context: AuthContext, read: User): Promise<User> {
  await lockUser(tx, read.id);
  const user = await findUser(tx, { id: read.id });
  if (
    !user ||
    user.email !== read.email ||
    user.encrypted_password !== read.encrypted_password ||
    (user.email_confirmed_at === null) !== (read.email_confirmed_at === null) ||
    isBanned(user, context.now())
  ) {
    throw invalidCredentials();
  }
  return user;
}

/** 400 for a wrong address or password. */
export function invalidCredentials(): AuthError {
  return new AuthError(400, "invalid_credentials", "Invalid login credentials");
}

/**
 * Records an authentication of the session, if it still exists. `isProof` says that the session had begun
 * before. A claim whose update is later than its creation is a proof, also in GoTrue, which renews a claim
 * when a code is given again.
 */
export async function addMethod(
  db: Sql,
  context: AuthContext,
  { sessionId, method, isProof }: { sessionId: string; method: AuthMethod; isProof: boolean },
): Promise<void> {
  const now = new Date(context.now());
  await db`
    insert into auth.mfa_amr_claims (session_id, created_at, updated_at, authentication_method)
    select id, case when ${isProof}::boolean then created_at else ${now}::timestamptz end,
      ${now}::timestamptz, ${method}
    from auth.sessions where id = ${sessionId}
    on conflict (session_id, authentication_method) do update set updated_at = ${now}`;
}

/** Records the time and the device of a refresh, and once a day that the account is used. */
export async function recordRefresh(
  tx: Sql,
  context: AuthContext,
  c: AuthRequest,
  sessionId: string,
): Promise<void> {
  const now = new Date(context.now());
  await tx`
    update auth.sessions
    set refreshed_at = ${now}::timestamptz at time zone 'utc', updated_at = ${now},
      user_agent = ${userAgent(c)}
    where id = ${sessionId}`;
  await tx`
    update auth.users u set updated_at = ${now} from auth.sessions s
    where s.id = ${sessionId} and u.id = s.user_id
      and u.updated_at < ${now}::timestamptz - interval '1 day'`;
}

function userAgent(c: AuthRequest): string | null {
  return c.req.header("user-agent")?.slice(0, maxUserAgentLength) ?? null;
}

/** Returns what GoTrue returns for a session. */
export async function tokenResponse(
  tx: Sql,
  { keys, now, siteUrl }: AuthContext,
  sessionId: string,
  user: User,
  refreshToken: string,
) {
  const methods = await tx<{ method: AuthMethod; timestamp: number }>`
    select authentication_method as method, floor(extract(epoch from updated_at))::int as timestamp
    from auth.mfa_amr_claims
    where session_id = ${sessionId} order by updated_at desc, created_at desc`;
  const iat = Math.floor(now() / 1000);
  const exp = iat + accessTokenSeconds;
  const accessToken = await signAccessToken(keys, {
    iss: `${siteUrl}/auth/v1`,
    sub: user.id,
    aud: accountRole,
    exp,
    iat,
    email: user.email,
    phone: "",
    app_metadata: user.raw_app_meta_data,
    // GoTrue copies the metadata of the account, which may be too long for the cookie and for proxies.
    user_metadata: {},
    role: accountRole,
    aal: methods.some(({ method }) => method === "totp") ? "aal2" : "aal1",
    amr: methods.map(({ method, timestamp }) => ({ method, timestamp })),
    session_id: sessionId,
    is_anonymous: false,
  });
  return {
    access_token: accessToken,
    token_type: "bearer",
    expires_in: accessTokenSeconds,
    expires_at: exp,
    refresh_token: refreshToken,
    user: userJson(user),
  };
}
