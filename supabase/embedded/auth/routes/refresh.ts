import { z } from "zod";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError } from "#embedded/auth/errors.ts";
import { readBody } from "#embedded/auth/fields.ts";
import { exchangeToken, tokenNotFound } from "#embedded/auth/refresh-tokens.ts";
import { sha256 } from "#embedded/auth/secrets.ts";
import { recordRefresh, reissue } from "#embedded/auth/sessions.ts";
import { sessionIdleSeconds } from "#embedded/auth/settings.ts";
import { isBanned, reloadUser } from "#embedded/auth/users.ts";

const bodySchema = z.object({ refresh_token: z.string() });

interface SessionRow {
  id: string;
  user_id: string;
  not_after: Date | null;
  used_at: Date;
}

/** Returns the token response for a refresh token. Throws AuthError 400. */
export async function refresh(context: AuthContext, c: AuthRequest) {
  const { refresh_token: presented } = await readBody(c, bodySchema);
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
    return reissue(tx, context, session.id, user, refreshToken);
  });
  if (!answer) {
    throw new AuthError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");
  }
  return answer;
}

function isExpired({ not_after: end, used_at: used }: SessionRow, now: number): boolean {
  return (end !== null && end.getTime() < now) || used.getTime() + sessionIdleSeconds * 1000 < now;
}
