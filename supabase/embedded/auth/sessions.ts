import type { Sql, TransactionSql } from "postgres";
import { signAccessToken } from "#embedded/tokens.ts";
import { type AuthContext, type AuthRequest, clientIp } from "./context.ts";
import { firstToken } from "./refresh-tokens.ts";
import { type Metadata, type User, userJson } from "./users.ts";

/** How a session was authenticated, in GoTrue's names. */
export type AuthMethod =
  | "password"
  | "otp"
  | "totp"
  | "magiclink"
  | "recovery"
  | "email/signup"
  | "email_change"
  | "invite";

/** A session ends if it is not refreshed for this long. The site's cookie has the same lifetime. */
export const sessionIdleSeconds = 30 * 86_400;

const maxUserAgentLength = 256;
/** In bytes. The site's cookie contains the token, and proxies may limit headers to 4 KiB. */
const maxMetadataBytes = 512;

interface UsedMethod {
  method: AuthMethod;
  timestamp: number;
}

/** Creates a session at aal1, in one statement for speed. Returns the token response. */
export async function createSession(
  db: Sql | TransactionSql,
  context: AuthContext,
  c: AuthRequest,
  user: User,
  method: AuthMethod,
) {
  const now = new Date(context.now());
  const id = crypto.randomUUID();
  const token = firstToken(context, id);
  await db`
    with session as (
      insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip)
      values (${id}, ${user.id}, ${now}, ${now}, 'aal1', ${userAgent(c)}, ${clientIp(c)})
    ), method as (
      insert into auth.mfa_amr_claims (session_id, created_at, updated_at, authentication_method)
      values (${id}, ${now}, ${now}, ${method})
    ), token as (
      insert into auth.refresh_tokens
        (token, user_id, session_id, parent, revoked, created_at, updated_at)
      values (${token.hash}, ${user.id}, ${id}, ${token.parent}, false, ${now}, ${now})
    )
    update auth.users set last_sign_in_at = ${now}, updated_at = ${now} where id = ${user.id}`;
  context.log.info("An account signed in", { account: user.id, method });
  const signedIn = { ...user, last_sign_in_at: now, updated_at: now };
  const methods = [{ method, timestamp: Math.floor(now.getTime() / 1000) }];
  return tokenResponse(context, id, signedIn, token.text, methods);
}

export async function addMethod(
  db: Sql | TransactionSql,
  context: AuthContext,
  sessionId: string,
  method: AuthMethod,
): Promise<void> {
  const now = new Date(context.now());
  await db`
    insert into auth.mfa_amr_claims (session_id, created_at, updated_at, authentication_method)
    select id, ${now}::timestamptz, ${now}::timestamptz, ${method}
    from auth.sessions where id = ${sessionId}
    on conflict (session_id, authentication_method) do update set updated_at = ${now}`;
}

export async function recordRefresh(
  tx: TransactionSql,
  context: AuthContext,
  c: AuthRequest,
  sessionId: string,
): Promise<void> {
  const now = new Date(context.now());
  await tx`
    update auth.sessions
    set refreshed_at = ${now}::timestamptz at time zone 'utc', updated_at = ${now},
      user_agent = ${userAgent(c)}, ip = ${clientIp(c)}
    where id = ${sessionId}`;
}

function userAgent(c: AuthRequest): string | null {
  return c.req.header("user-agent")?.slice(0, maxUserAgentLength) ?? null;
}

/** Returns a token response for an existing session. */
export async function reissue(
  tx: TransactionSql,
  context: AuthContext,
  sessionId: string,
  user: User,
  refreshToken: string,
) {
  const methods = await tx<UsedMethod[]>`
    select authentication_method as method, floor(extract(epoch from updated_at))::int as timestamp
    from auth.mfa_amr_claims
    where session_id = ${sessionId} order by updated_at desc, created_at desc`;
  return tokenResponse(context, sessionId, user, refreshToken, methods);
}

/** See CONTRACT.md, "Claims". `methods`: the newest first. */
async function tokenResponse(
  { keys, now, settings, siteUrl }: AuthContext,
  sessionId: string,
  user: User,
  refreshToken: string,
  methods: UsedMethod[],
) {
  const iat = Math.floor(now() / 1000);
  const exp = iat + settings.jwtExpirySeconds;
  const accessToken = await signAccessToken(keys, {
    iss: `${siteUrl}/auth/v1`,
    sub: user.id,
    aud: user.aud,
    exp,
    iat,
    email: user.email,
    phone: user.phone ?? "",
    app_metadata: user.raw_app_meta_data,
    user_metadata: limitMetadata(user.raw_user_meta_data),
    role: user.role,
    aal: methods.some(({ method }) => method === "totp") ? "aal2" : "aal1",
    amr: methods.map(({ method, timestamp }) => ({ method, timestamp })),
    session_id: sessionId,
    is_anonymous: user.is_anonymous,
  });
  return {
    access_token: accessToken,
    token_type: "bearer",
    expires_in: settings.jwtExpirySeconds,
    expires_at: exp,
    refresh_token: refreshToken,
    user: userJson(user),
  };
}

// The largest metadata of an account would make the token too long for a header.
function limitMetadata(metadata: Metadata): Metadata {
  return Buffer.byteLength(JSON.stringify(metadata)) > maxMetadataBytes ? {} : metadata;
}
