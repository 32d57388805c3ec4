import { type AccessClaims, verifyAccessToken } from "#embedded/tokens.ts";
import { isUuid } from "#embedded/uuid.ts";
import type { AuthContext, AuthRequest } from "./context.ts";
import { AuthError } from "./errors.ts";
import { findUser, isBanned, type User } from "./users.ts";

export interface Session {
  id: string;
  user_id: string;
  created_at: Date;
  aal: "aal1" | "aal2" | "aal3";
  /** The last authentication by any method. A refresh does not count. */
  authenticated_at: Date | null;
  /** The last authentication by a mailed link or code. */
  mailed_at: Date | null;
}

export interface SignedIn {
  user: User;
  session: Session;
}

const maxHeaderLength = 16_384;

/** Reads the access token's user and session from the database. Throws AuthError 401 or 403. */
export async function requireSignedIn(context: AuthContext, c: AuthRequest): Promise<SignedIn> {
  const { userId, sessionId } = readIds(await readClaims(context, c));
  const [user, [session]] = await Promise.all([
    findUser(context.db, { id: userId }),
    context.db<Session[]>`
      select s.id, s.user_id, s.created_at, s.aal,
        max(m.updated_at) as authenticated_at,
        max(m.updated_at) filter (
          where m.authentication_method in ('otp', 'magiclink', 'recovery')
        ) as mailed_at
      from auth.sessions s left join auth.mfa_amr_claims m on m.session_id = s.id
      where s.id = ${sessionId}
        and (s.not_after is null or s.not_after > ${new Date(context.now())})
      group by s.id`,
  ]);
  if (!user) {
    throw new AuthError(403, "user_not_found", "User from sub claim in JWT does not exist");
  }
  if (session?.user_id !== user.id) {
    throw new AuthError(
      403,
      "session_not_found",
      "Session from session_id claim in JWT does not exist",
    );
  }
  if (isBanned(user, context.now())) {
    throw new AuthError(403, "user_banned", "User is banned");
  }
  return { user, session };
}

/** Like requireSignedIn, but returns undefined instead of throwing an AuthError. */
export async function findSignedIn(
  context: AuthContext,
  c: AuthRequest,
): Promise<SignedIn | undefined> {
  try {
    return await requireSignedIn(context, c);
  } catch (error) {
    if (error instanceof AuthError) {
      return undefined;
    }
    throw error;
  }
}

const recentMilliseconds = 10 * 60 * 1000;

/** Whether a time is within the last ten minutes. */
export function isRecent({ now }: AuthContext, time: Date | null): boolean {
  return time !== null && time.getTime() + recentMilliseconds > now();
}

/** Guards changes that a stolen access token must not make. Throws 400 reauthentication_needed. */
export function requireRecent(context: AuthContext, { session }: SignedIn): void {
  if (!isRecent(context, session.authenticated_at)) {
    throw new AuthError(
      400,
      "reauthentication_needed",
      "This requires an authentication in the last ten minutes",
    );
  }
}

/** Whether the account has a second factor that the session has not used. */
export function lacksFactor({ user, session }: SignedIn): boolean {
  return session.aal === "aal1" && user.factors.some(({ status }) => status === "verified");
}

const reasonTexts = {
  malformed: "token is malformed",
  expired: "token is expired",
  signature: "signature is invalid",
  unknown_kid: "unrecognized JWT kid",
  algorithm: "signing method is invalid",
};

async function readClaims({ keys, now }: AuthContext, c: AuthRequest): Promise<AccessClaims> {
  const header = c.req.header("authorization") ?? "";
  const token = header.length <= maxHeaderLength ? /^bearer (\S+)$/i.exec(header)?.[1] : undefined;
  if (!token) {
    throw new AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token");
  }
  const verified = await verifyAccessToken(keys, token, now());
  if (!verified.ok) {
    throw badJwt(
      `invalid JWT: unable to parse or verify signature, ${reasonTexts[verified.reason]}`,
    );
  }
  return verified.claims;
}

function readIds(claims: AccessClaims): { userId: string; sessionId: string } {
  const { sub: userId = "", session_id: sessionId } = claims;
  if (!isUuid(userId)) {
    throw badJwt("invalid claim: missing sub claim");
  }
  if (typeof sessionId !== "string" || !isUuid(sessionId)) {
    throw badJwt("invalid claim: session_id claim must be a UUID");
  }
  return { userId, sessionId };
}

function badJwt(message: string): AuthError {
  return new AuthError(403, "bad_jwt", message);
}
