import { z } from "zod";
import { findSignedIn } from "#embedded/auth/bearer.ts";
import { sessionIdleSeconds } from "#embedded/auth/constants.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError, validationFailed } from "#embedded/auth/errors.ts";
import { readBody } from "#embedded/auth/fields.ts";
import { verifyPassword } from "#embedded/auth/passwords.ts";
import { exchangeToken, isTokenLike, tokenNotFound } from "#embedded/auth/refresh-tokens.ts";
import { sha256 } from "#embedded/auth/secrets.ts";
import {
  addMethod,
  createSession,
  invalidCredentials,
  recordRefresh,
  tokenResponse,
} from "#embedded/auth/sessions.ts";
import { findUser, isBanned, lockUser, reloadUser, type User } from "#embedded/auth/users.ts";
import { part } from "#embedded/sql-text.ts";
import type { Sql } from "#embedded/sql.ts";

/** POST /token?grant_type=password|refresh_token: returns a token response. */
export async function token(context: AuthContext, c: AuthRequest): Promise<Response> {
  const isPassword = c.req.query("grant_type") === "password";
  return c.json(await (isPassword ? signInWithPassword(context, c) : refresh(context, c)));
}

// Any text is allowed. If it is no address, it has no account.
const passwordSchema = z.object({ email: z.string(), password: z.string() });

async function signInWithPassword(context: AuthContext, c: AuthRequest) {
  const body = await readBody(c, passwordSchema);
  const email = body.email.toLowerCase();
  const user = await findUser(context.db, { email });
  if (!(await verifyPassword(user?.encrypted_password ?? null, body.password)) || !user) {
    context.log.info("A sign-in failed", { account: user?.id ?? "none" });
    throw invalidCredentials();
  }
  if (isBanned(user, context.now())) {
    throw new AuthError(400, "user_banned", "User is banned");
  }
  if (!user.email_confirmed_at) {
    throw new AuthError(400, "email_not_confirmed", "Email not confirmed");
  }
  return context.db.begin(async (tx) => {
    const created = await createSession(tx, context, c, user, "password");
    await reauthenticate(tx, context, c, user);
    return created;
  });
}

// GoTrue does not do this: the password also authenticates the session whose token the request has.
async function reauthenticate(
  tx: Sql,
  context: AuthContext,
  c: AuthRequest,
  user: User,
): Promise<void> {
  const signedIn = await findSignedIn(tx, context, c);
  if (signedIn?.user.id === user.id) {
    await addMethod(tx, context, {
      sessionId: signedIn.session.id,
      method: "password",
      isProof: true,
    });
  }
}

const refreshSchema = z.object({ refresh_token: z.string() });

interface SessionRow {
  id: string;
  user_id: string;
  used_at: Date;
}

async function refresh(context: AuthContext, c: AuthRequest) {
  const { refresh_token: presented } = await readBody(c, refreshSchema);
  if (!isTokenLike(presented)) {
    throw validationFailed("Refresh token is not valid");
  }
  const tokenHash = sha256(presented);

  const answer = await context.db.begin(async (tx) => {
    const hasToken = part`
      id = (select session_id from auth.refresh_tokens where token = ${tokenHash})`;
    // Two refreshes of one session run one after the other.
    await lockUser(tx, part`(select user_id from auth.sessions where ${hasToken})`);
    const [session] = await tx<SessionRow>`
      select id, user_id,
        coalesce(refreshed_at at time zone 'utc', created_at) as used_at
      from auth.sessions where ${hasToken}`;
    if (!session) {
      throw tokenNotFound();
    }
    const user = await reloadUser(tx, session.user_id);
    if (isBanned(user, context.now())) {
      throw new AuthError(400, "user_banned", "Invalid Refresh Token: User Banned");
    }
    if (session.used_at.getTime() + sessionIdleSeconds * 1000 < context.now()) {
      throw new AuthError(400, "session_expired", "Invalid Refresh Token: Session Expired");
    }
    const refreshToken = await exchangeToken(tx, context, session, tokenHash);
    if (!refreshToken) {
      await tx`delete from auth.sessions where id = ${session.id}`;
      return undefined;
    }
    await recordRefresh(tx, context, c, session.id);
    return tokenResponse(tx, context, session.id, user, refreshToken);
  });
  if (!answer) {
    throw new AuthError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");
  }
  return answer;
}
