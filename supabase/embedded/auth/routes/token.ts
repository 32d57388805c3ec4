import { z } from "zod";
import { findSignedIn } from "#embedded/auth/bearer.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError, validationFailed } from "#embedded/auth/errors.ts";
import { readBody } from "#embedded/auth/fields.ts";
import { verifyPassword } from "#embedded/auth/passwords.ts";
import { exchangeToken, isTokenLike, tokenNotFound } from "#embedded/auth/refresh-tokens.ts";
import { sha256 } from "#embedded/auth/secrets.ts";
import { addMethod, createSession, recordRefresh, tokenResponse } from "#embedded/auth/sessions.ts";
import { sessionIdleSeconds } from "#embedded/auth/settings.ts";
import { findUser, isBanned, reloadUser, type User } from "#embedded/auth/users.ts";

/** POST /token?grant_type=password|refresh_token: returns a token response. */
export async function token(context: AuthContext, c: AuthRequest): Promise<Response> {
  const isPassword = c.req.query("grant_type") === "password";
  return c.json(await (isPassword ? signInWithPassword(context, c) : refresh(context, c)));
}

// Any text: what is no address has no account.
const passwordSchema = z.object({ email: z.string(), password: z.string() });

async function signInWithPassword(context: AuthContext, c: AuthRequest) {
  const body = await readBody(c, passwordSchema);
  const email = body.email.toLowerCase();
  const user = await findUser(context.db, { email });
  if (!(await verifyPassword(user?.encrypted_password ?? null, body.password)) || !user) {
    context.log.info("A sign-in failed", { account: user?.id ?? "none" });
    throw new AuthError(400, "invalid_credentials", "Invalid login credentials");
  }
  if (isBanned(user, context.now())) {
    throw new AuthError(400, "user_banned", "User is banned");
  }
  if (!user.email_confirmed_at) {
    throw new AuthError(400, "email_not_confirmed", "Email not confirmed");
  }
  await reauthenticate(context, c, user);
  // GoTrue says here whether its rules call the password weak by now.
  return {
    ...(await context.db.begin((tx) => createSession(tx, context, c, user, "password"))),
    weak_password: null,
  };
}

// Beyond GoTrue: the password also authenticates the session whose token the request carries.
async function reauthenticate(context: AuthContext, c: AuthRequest, user: User): Promise<void> {
  const signedIn = await findSignedIn(context, c);
  if (signedIn?.user.id === user.id) {
    await addMethod(context.db, context, {
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
  not_after: Date | null;
  used_at: Date;
}

async function refresh(context: AuthContext, c: AuthRequest) {
  const { refresh_token: presented } = await readBody(c, refreshSchema);
  if (!isTokenLike(presented)) {
    throw validationFailed("Refresh token is not valid");
  }
  const tokenHash = sha256(presented);

  const answer = await context.db.begin(async (tx) => {
    // The lock serializes refreshes of one session.
    const [session] = await tx<SessionRow>`
      select id, user_id, not_after,
        coalesce(refreshed_at at time zone 'utc', created_at) as used_at
      from auth.sessions
      where id = (select session_id from auth.refresh_tokens where token = ${tokenHash})
      for update`;
    if (!session) {
      throw tokenNotFound();
    }
    const user = await reloadUser(tx, session.user_id);
    if (isBanned(user, context.now())) {
      throw new AuthError(400, "user_banned", "Invalid Refresh Token: User Banned");
    }
    if (isExpired(session, context.now())) {
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

function isExpired({ not_after: end, used_at: used }: SessionRow, now: number): boolean {
  return (end !== null && end.getTime() < now) || used.getTime() + sessionIdleSeconds * 1000 < now;
}
