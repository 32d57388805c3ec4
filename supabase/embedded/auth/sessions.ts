import type { TransactionSql } from "postgres";

import { signAccessToken } from "../tokens.ts";
import { clientIp } from "./context.ts";
import type { AuthContext, AuthRequest } from "./context.ts";
import { startFamily } from "./refresh-tokens.ts";
import { userJson } from "./users.ts";
import type { User } from "./users.ts";

/** How a session was strengthened; the names are GoTrue's. */
export type AuthMethod =
  | "password"
  | "otp"
  | "totp"
  | "magiclink"
  | "recovery"
  | "email/signup"
  | "email_change"
  | "invite";

/**
 * Signs the user in: a new session at aal1, and the answer for the client. One transaction of
 * the caller's.
 */
export async function createSession(
  tx: TransactionSql,
  context: AuthContext,
  c: AuthRequest,
  user: User,
  method: AuthMethod,
) {
  const now = new Date(context.now());
  const session = { id: crypto.randomUUID(), user_id: user.id };
  await tx`
    insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip)
    values (${session.id}, ${user.id}, ${now}, ${now}, 'aal1', ${userAgent(c)}, ${clientIp(c)})`;
  await tx`update auth.users set last_sign_in_at = ${now}, updated_at = ${now} where id = ${user.id}`;
  await addMethod(tx, context, session.id, method);
  const refreshToken = await startFamily(tx, context, session);
  const signedIn = { ...user, last_sign_in_at: now, updated_at: now };
  return tokenResponse(tx, context, session.id, signedIn, refreshToken);
}

/** Notes in the session that the user proved who they are in this way, now. */
export async function addMethod(
  tx: TransactionSql,
  context: AuthContext,
  sessionId: string,
  method: AuthMethod,
): Promise<void> {
  const now = new Date(context.now());
  await tx`
    insert into auth.mfa_amr_claims (session_id, created_at, updated_at, authentication_method)
    values (${sessionId}, ${now}, ${now}, ${method})
    on conflict (session_id, authentication_method) do update set updated_at = ${now}`;
}

/** Notes in the session that it was refreshed, from where and by what. */
export async function noteRefresh(
  tx: TransactionSql,
  context: AuthContext,
  c: AuthRequest,
  sessionId: string,
): Promise<void> {
  const now = new Date(context.now());
  await tx`
    update auth.sessions
    set refreshed_at = ${now.toISOString()}::timestamptz at time zone 'utc',
      updated_at = ${now}, user_agent = ${userAgent(c)}, ip = ${clientIp(c)}
    where id = ${sessionId}`;
}

/**
 * The token answer (contract sections 3 and 4). aal and amr are those of the session's rows now,
 * so a refresh keeps aal2.
 */
export async function tokenResponse(
  tx: TransactionSql,
  { keys, now, settings, siteUrl }: AuthContext,
  sessionId: string,
  user: User,
  refreshToken: string,
) {
  const amr = await tx<{ method: string; timestamp: number }[]>`
    select authentication_method as method, floor(extract(epoch from updated_at))::int as timestamp
    from auth.mfa_amr_claims where session_id = ${sessionId} order by updated_at desc, created_at desc`;
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
    user_metadata: user.raw_user_meta_data,
    role: user.role,
    aal: amr.some(({ method }) => method === "totp") ? "aal2" : "aal1",
    amr: [...amr],
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

function userAgent(c: AuthRequest): string | null {
  return c.req.header("user-agent") ?? null;
}
