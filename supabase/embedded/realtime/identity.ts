import { decodeJwt } from "jose";
import type { Database } from "#embedded/database.ts";
import { verifyAccessToken } from "#embedded/tokens.ts";
import { isUuid } from "#embedded/uuid.ts";
import type { Context, Identity } from "./types.ts";

export function identityOfRole(role: string): Identity {
  return {
    role,
    claims: JSON.stringify({ role }),
    token: undefined,
    expiresAt: undefined,
    sessionId: undefined,
  };
}

/** Verifies an access token and its session, or returns an error text (CONTRACT.md, "Tokens"). */
export async function identityOfToken(
  token: string,
  { keys, database, now }: Pick<Context, "keys" | "database" | "now">,
): Promise<Identity | string> {
  const verified = await verifyAccessToken(keys, token, now());
  if (!verified.ok) {
    return tokenError(verified.reason, token, now());
  }
  const { claims } = verified;
  const sessionId = claims["session_id"];
  if (sessionId !== undefined) {
    const isActive =
      typeof sessionId === "string" && (await activeSessions(database, [sessionId])).has(sessionId);
    if (!isActive) {
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

function tokenError(reason: string, token: string, now: number): string {
  if (reason === "malformed") {
    return "MalformedJWT: The token provided is not a valid JWT";
  }
  if (reason === "expired") {
    return `InvalidJWTToken: ${expiryText(decodeJwt(token).exp ?? 0, now)}`;
  }
  return "JwtSignatureError: Failed to validate JWT signature";
}

export function expiryText(expiresAt: number, now: number): string {
  return `Token has expired ${Math.max(0, Math.floor(now / 1000 - expiresAt))} seconds ago`;
}

export function hasExpired({ expiresAt }: Identity, now: number): boolean {
  return expiresAt !== undefined && expiresAt * 1000 <= now;
}

/** Returns the ids of the sessions that have not ended. */
export async function activeSessions(database: Database, ids: string[]): Promise<Set<string>> {
  const wanted = ids.filter(isUuid);
  if (wanted.length === 0) {
    return new Set();
  }
  const rows = await database.auth<{ id: string }[]>`
    select id::text from auth.sessions where id = any(${wanted}::uuid[])`;
  const active = new Set(rows.map(({ id }) => id));
  return new Set(ids.filter((id) => active.has(id.toLowerCase())));
}
