import type { Sql } from "#embedded/sql.ts";
import { type AccessClaims, bearerToken, verifyAccessToken } from "#embedded/tokens.ts";
import type { AuthContext, AuthRequest } from "./context.ts";
import { AuthError } from "./errors.ts";
import { isBanned, lockUser, type User, userColumns } from "./users.ts";

interface Session {
  id: string;
  aal: "aal1" | "aal2" | "aal3";
  /** The last authentication by any method. A refresh does not count. */
  authenticated_at: Date | null;
  /**
   * The last time that the session gave the password or a code again. The sign-in itself does not count.
   */
  proved_at: Date | null;
  /** The last authentication by a mailed link or code. */
  mailed_at: Date | null;
}

export interface SignedIn {
  user: User;
  session: Session;
}

type Found = User & Omit<Session, "id"> & { session_id: string | null };

/** Reads the access token's user and session from the database. Throws AuthError 401 or 403. */
export async function requireSignedIn(context: AuthContext, c: AuthRequest): Promise<SignedIn> {
  return readSignedIn(context.db, context, await readClaims(context, c));
}

/**
 * Runs `change` in a transaction that holds the account of the access token, with the user and the
 * session as they are then. Throws AuthError 401 or 403 if the session has ended.
 */
export async function changeSignedIn<R>(
  context: AuthContext,
  c: AuthRequest,
  change: (tx: Sql, signedIn: SignedIn) => Promise<R>,
): Promise<R> {
  const claims = await readClaims(context, c);
  return context.db.begin(async (tx) => {
    await lockUser(tx, claims.sub);
    return change(tx, await readSignedIn(tx, context, claims));
  });
}

async function readSignedIn(
  db: Sql,
  context: AuthContext,
  claims: SessionClaims,
): Promise<SignedIn> {
  // This is one statement, because hundreds of tabs ask at once, and share a few connections (database.ts).
  const [found] = await db<Found>`
    select ${userColumns}, session.*
    from auth.users u left join lateral (
      select s.id as session_id, s.aal,
        max(m.updated_at) as authenticated_at,
        max(m.updated_at) filter (where m.updated_at > m.created_at) as proved_at,
        max(m.updated_at) filter (where m.authentication_method = 'otp') as mailed_at
      from auth.sessions s left join auth.mfa_amr_claims m on m.session_id = s.id
      where s.id = ${claims.session_id} and s.user_id = u.id
      group by s.id
    ) session on true
    where u.id = ${claims.sub}`;
  if (!found) {
    throw new AuthError(403, "user_not_found", "User from sub claim in JWT does not exist");
  }
  const { session_id: id, aal, authenticated_at, proved_at, mailed_at, ...user } = found;
  if (id === null) {
    throw new AuthError(
      403,
      "session_not_found",
      "Session from session_id claim in JWT does not exist",
    );
  }
  if (isBanned(user, context.now())) {
    throw new AuthError(403, "user_banned", "User is banned");
  }
  return { user, session: { id, aal, authenticated_at, proved_at, mailed_at } };
}

/** Like requireSignedIn, in a transaction, but returns undefined instead of throwing an AuthError. */
export async function findSignedIn(
  tx: Sql,
  context: AuthContext,
  c: AuthRequest,
): Promise<SignedIn | undefined> {
  try {
    return await readSignedIn(tx, context, await readClaims(context, c));
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

/**
 * Guards changes that a stolen access token must not make, not even right after the sign-in. The session must
 * have given the password or a code again. An account that has neither needs a recent sign-in. Throws 400
 * reauthentication_needed.
 */
export function requireProof(context: AuthContext, { user, session }: SignedIn): void {
  const canProve = user.encrypted_password !== null || hasFactor(user);
  if (!isRecent(context, canProve ? session.proved_at : session.authenticated_at)) {
    throw new AuthError(
      400,
      "reauthentication_needed",
      "This requires the password or a code in the last ten minutes",
    );
  }
}

const hasFactor = ({ factors }: User) => factors.some(({ status }) => status === "verified");

/** Whether the account has a second factor that the session has not used. */
export function lacksFactor({ user, session }: SignedIn): boolean {
  return session.aal === "aal1" && hasFactor(user);
}

/** The claims of an access token that this process signed. */
type SessionClaims = AccessClaims & { sub: string; session_id: string };

async function readClaims({ keys, now }: AuthContext, c: AuthRequest): Promise<SessionClaims> {
  const token = bearerToken(c.req.raw.headers);
  if (!token) {
    throw new AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token");
  }
  const verified = await verifyAccessToken(keys, token, now());
  if (!verified.ok) {
    const message = `invalid JWT: unable to parse or verify signature, ${verified.reason}`;
    throw new AuthError(403, "bad_jwt", message);
  }
  return verified.claims as SessionClaims;
}
