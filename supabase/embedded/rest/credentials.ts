import type { Keys } from "../keys.ts";
import { roleOfApiKey, verifyAccessToken } from "../tokens.ts";
import type { RequestContext } from "./context.ts";

type Claims = RequestContext["claims"];

/** The claims that a request acts under, or the answer that refuses it. */
export type Credentials = { ok: true; claims: Claims } | { ok: false; response: Response };

/**
 * Reads `apikey` (header or query) and `Authorization`. Without a user's token the role is the
 * key's. Refusals are those of the hosted gateway (unknown key) and of PostgREST (token).
 */
export async function readCredentials(
  keys: Keys,
  request: Request,
  now: number,
): Promise<Credentials> {
  const apikey =
    request.headers.get("apikey") ?? new URL(request.url).searchParams.get("apikey") ?? undefined;
  if (apikey === undefined) {
    return refuseKey(
      "No API key found in request",
      "No `apikey` request header or url param was found.",
    );
  }
  const role = roleOfApiKey(keys, apikey);
  if (!role) {
    return refuseKey("Invalid API key", "Double check your Supabase `apikey`");
  }
  const token = /^Bearer\s+(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined || token === apikey) {
    return { ok: true, claims: { role } };
  }
  const verified = await verifyAccessToken(keys, token, now);
  return verified.ok ? verified : refuseToken(token, verified.reason);
}

function refuseKey(message: string, hint: string): Credentials {
  return { ok: false, response: Response.json({ message, hint }, { status: 401 }) };
}

function refuseToken(token: string, reason: string): Credentials {
  const parts = token.split(".").length;
  if (reason === "expired") {
    return tokenError("PGRST303", "JWT expired", null);
  }
  if (parts !== 3) {
    return tokenError("PGRST301", `Expected 3 parts in JWT; got ${parts}`, null);
  }
  return tokenError(
    "PGRST301",
    "No suitable key or wrong key type",
    "None of the keys was able to decode the JWT",
  );
}

function tokenError(code: string, message: string, details: string | null): Credentials {
  const headers = {
    "WWW-Authenticate": `Bearer error="invalid_token", error_description="${message}"`,
  };
  const body = { code, details, hint: null, message };
  return { ok: false, response: Response.json(body, { status: 401, headers }) };
}
