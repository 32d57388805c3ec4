import type { Database } from "#embedded/database.ts";
import type { Keys } from "#embedded/keys.ts";
import { verifyAccessToken } from "#embedded/tokens.ts";
import { isUuid } from "#embedded/uuid.ts";

/** Who reads a subscription. */
export interface Identity {
  /** The token's claims as JSON. Row level security reads them. */
  claims: string;
  /** Seconds since 1970. */
  expiresAt: number;
  sessionId: string;
}

/** Verifies an access token of an account and its session, or returns why it is refused. */
export async function identityOfToken(
  token: string,
  { keys, database }: { keys: Keys; database: Database },
): Promise<Identity | string> {
  const verified = await verifyAccessToken(keys, token, Date.now());
  if (!verified.ok) {
    return `InvalidJWTToken: ${verified.reason}`;
  }
  const { role, exp, session_id: sessionId } = verified.claims;
  if (role !== "authenticated") {
    return "Unauthorized: The token is not an account's";
  }
  if (typeof sessionId !== "string" || !(await activeSessions(database, [sessionId])).size) {
    return "Unauthorized: The session of the token has ended";
  }
  return { claims: JSON.stringify(verified.claims), expiresAt: exp, sessionId };
}

/** Whether the identity's token has expired. */
export const hasExpired = ({ expiresAt }: Identity): boolean => expiresAt * 1000 <= Date.now();

/** Returns the ids of the sessions that have not ended. */
export async function activeSessions(database: Database, ids: string[]): Promise<Set<string>> {
  const wanted = ids.filter(isUuid);
  if (wanted.length === 0) {
    return new Set();
  }
  const rows = await database.auth<{ id: string }>`
    select id::text from auth.sessions where id = any(${wanted}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}
