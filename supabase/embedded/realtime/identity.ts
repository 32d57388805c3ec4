import { decodeJwt } from "jose";
import { type Database } from "../database.ts";
import { type Keys } from "../keys.ts";
import { verifyAccessToken } from "../tokens.ts";
import { isUuid } from "../uuid.ts";
import { type Identity } from "./channel.ts";

/** The identity behind an API key: its role and no user. */
export function identityOfRole(role: string): Identity {
  return {
    role,
    claims: JSON.stringify({ role }),
    token: undefined,
    expiresAt: undefined,
    sessionId: undefined,
  };
}

/**
 * Checks a user's access token, and that its sign-in session still exists (the real server does
 * not look at the session). Gives the identity, or the fault as `Code: text` (contract section 8).
 */
export async function identityOfToken(
  token: string,
  { keys, database, now }: { keys: Keys; database: Database; now: () => number },
): Promise<Identity | string> {
  const verified = await verifyAccessToken(keys, token, now());
  if (!verified.ok) {
    return faultText(verified.reason, token, now());
  }
  const { claims } = verified;
  const sessionId = claims["session_id"];
  if (sessionId !== undefined) {
    const alive = typeof sessionId === "string" && (await livingSessions(database, [sessionId]));
    if (!alive || !alive.has(sessionId)) {
      return "Unauthorized: The session of the token has ended";
    }
  }
  return {
    role: claims.role,
    claims: JSON.stringify(claims),
    token,
    expiresAt: claims.exp,
    sessionId: sessionId as string | undefined,
  };
}

function faultText(reason: string, token: string, now: number): string {
  if (reason === "malformed") {
    return "MalformedJWT: The token provided is not a valid JWT";
  }
  if (reason !== "expired") {
    return "JwtSignatureError: Failed to validate JWT signature";
  }
  return `InvalidJWTToken: ${expiryText(decodeJwt(token).exp ?? 0, now)}`;
}

/** The words of the real server for a token that expired at `expiresAt` (seconds since 1970). */
export function expiryText(expiresAt: number, now: number): string {
  return `Token has expired ${Math.max(0, Math.floor(now / 1000 - expiresAt))} seconds ago`;
}

/** Which of these ids are sign-in sessions that have not been ended. */
export async function livingSessions(database: Database, ids: string[]): Promise<Set<string>> {
  const wanted = ids.filter(isUuid);
  if (wanted.length === 0) {
    return new Set();
  }
  const rows = await database.auth<{ id: string }[]>`
    select id::text from auth.sessions where id = any(${wanted}::uuid[])`;
  const alive = new Set(rows.map(({ id }) => id));
  return new Set(ids.filter((id) => alive.has(id.toLowerCase())));
}
