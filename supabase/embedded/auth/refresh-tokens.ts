import { randomBytes } from "node:crypto";
import type { Sql } from "#embedded/sql.ts";
import { refreshReuseSeconds } from "./constants.ts";
import type { AuthContext } from "./context.ts";
import { AuthError } from "./errors.ts";
import { sha256 } from "./secrets.ts";

// A refresh token is the HMAC of its session and its parent, the previous token. So the table
// stores hashes only, and a client that lost a response can get the active token again.

interface Row {
  token: string;
  parent: string;
  revoked: boolean;
  is_reusable: boolean;
}

interface NewToken {
  text: string;
  hash: string;
  parent: string;
}

/** Starts a new family and revokes the session's earlier tokens. Returns the new token. */
export async function startFamily(
  tx: Sql,
  context: AuthContext,
  session: { id: string; user_id: string },
): Promise<string> {
  await tx`
    update auth.refresh_tokens set revoked = true, updated_at = '-infinity'
    where session_id = ${session.id}`;
  const parent = randomBytes(32).toString("hex");
  return insertToken(tx, context, session, newToken(context, session.id, parent));
}

/**
 * Returns the token that replaces one of a session whose account is locked: a new one for the active token,
 * and the active one for its parent and for a token that was used just now. Undefined for others, because
 * either they or the active one were stolen. Throws AuthError 400.
 */
export async function exchangeToken(
  tx: Sql,
  context: AuthContext,
  session: { id: string; user_id: string },
  tokenHash: string,
): Promise<string | undefined> {
  const now = new Date(context.now());
  const reusableSince = new Date(context.now() - refreshReuseSeconds * 1000);
  const rows = await tx<Row>`
    select token, parent, revoked, updated_at >= ${reusableSince} as is_reusable
    from auth.refresh_tokens
    where session_id = ${session.id} and (token = ${tokenHash} or not revoked)`;
  const presented = rows.find((row) => row.token === tokenHash);
  const active = rows.find((row) => !row.revoked);
  if (!presented) {
    throw tokenNotFound();
  }
  if (presented === active) {
    await tx`
      update auth.refresh_tokens set revoked = true, updated_at = ${now}
      where session_id = ${session.id} and token = ${tokenHash}`;
    return insertToken(tx, context, session, newToken(context, session.id, tokenHash));
  }
  if (!active || (active.parent !== tokenHash && !presented.is_reusable)) {
    return undefined;
  }
  return newToken(context, session.id, active.parent).text;
}

async function insertToken(
  tx: Sql,
  context: AuthContext,
  session: { id: string; user_id: string },
  { text, hash, parent }: NewToken,
): Promise<string> {
  const now = new Date(context.now());
  await tx`
    insert into auth.refresh_tokens (token, user_id, session_id, parent, revoked, created_at, updated_at)
    values (${hash}, ${session.user_id}, ${session.id}, ${parent}, false, ${now}, ${now})`;
  return text;
}

function newToken({ secrets }: AuthContext, sessionId: string, parent: string): NewToken {
  const text = secrets.mac("refresh-token", sessionId, parent);
  return { text, hash: sha256(text), parent };
}

/** Whether a text has the form of a refresh token, of this package or of GoTrue. */
export const isTokenLike = (text: string): boolean => /^(?:[a-z\d]{12}|[\w-]{43})$/.test(text);

/** 400 for an unknown refresh token. */
export function tokenNotFound(): AuthError {
  return new AuthError(
    400,
    "refresh_token_not_found",
    "Invalid Refresh Token: Refresh Token Not Found",
  );
}
