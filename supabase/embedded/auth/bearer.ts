import { type AccessClaims, verifyAccessToken } from "../tokens.ts";
import { isUuid } from "../uuid.ts";
import type { AuthContext, AuthRequest } from "./context.ts";
import { AuthError } from "./errors.ts";
import { findUser, isBanned, type User } from "./users.ts";

export interface Session {
  id: string;
  user_id: string;
  created_at: Date;
  aal: "aal1" | "aal2" | "aal3";
  not_after: Date | null;
}

export interface SignedIn {
  claims: AccessClaims;
  user: User;
  session: Session;
}

/**
 * The user and session behind the request's bearer token, as the database has them now. Throws
 * AuthError: 401 no_authorization, 403 bad_jwt, user_not_found, session_not_found or user_banned
 * (contract section 2).
 */
export async function requireSignedIn(context: AuthContext, c: AuthRequest): Promise<SignedIn> {
  const token = /^bearer (\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  if (!token) {
    throw new AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token");
  }
  const verified = await verifyAccessToken(context.keys, token, context.now());
  if (!verified.ok) {
    throw badJwt(`invalid JWT: unable to parse or verify signature, ${reasons[verified.reason]}`);
  }
  const { claims } = verified;
  if (!isUuid(claims.sub ?? "")) {
    throw badJwt("invalid claim: missing sub claim");
  }
  const sessionId = claims["session_id"];
  if (typeof sessionId !== "string" || !isUuid(sessionId)) {
    throw badJwt("invalid claim: session_id claim must be a UUID");
  }

  const [user, [session]] = await Promise.all([
    findUser(context.db, { id: claims.sub ?? "" }),
    context.db<Session[]>`
      select id, user_id, created_at, aal, not_after from auth.sessions where id = ${sessionId}`,
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
  return { claims, user, session };
}

const reasons = {
  malformed: "token is malformed",
  expired: "token is expired",
  signature: "signature is invalid",
  unknown_kid: "unrecognized JWT kid",
  algorithm: "signing method is invalid",
};

function badJwt(message: string): AuthError {
  return new AuthError(403, "bad_jwt", message);
}
