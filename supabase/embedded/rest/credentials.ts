import type { Keys } from "#embedded/keys.ts";
import { roleOfApiKey, verifyAccessToken } from "#embedded/tokens.ts";
import type { Caller } from "./execute.ts";
import { jsonResponse } from "./response.ts";

type Claims = Caller["claims"];

export type Credentials = { ok: true; claims: Claims } | { ok: false; response: Response };

/** Reads `apikey` and `Authorization`. Without a user's token the role is the key's. */
export async function readCredentials(
  keys: Keys,
  apikey: string | undefined,
  authorization: string | null,
  now: number,
): Promise<Credentials> {
  if (apikey === undefined) {
    return refuseKey(
      "No API key found in request",
      "No `apikey` request header or url param was found.",
    );
  }
  const role = roleOfApiKey(keys, apikey);
  if (!role) {
    return refuseKey(
      "Invalid API key",
      "Double check your Supabase `anon` or `service_role` API key.",
    );
  }
  const [scheme = "", ...rest] = (authorization ?? "").split(" ");
  const token = rest.join(" ").trim();
  if (scheme.toLowerCase() !== "bearer" || token.startsWith("sb_")) {
    return { ok: true, claims: { role } };
  }
  const verified = await verifyAccessToken(keys, token, now);
  return verified.ok ? verified : refuseToken(token, verified.reason);
}

function refuseKey(message: string, hint: string): Credentials {
  return { ok: false, response: jsonResponse(401, { message, hint }) };
}

function refuseToken(token: string, reason: string): Credentials {
  if (token === "") {
    return tokenError("PGRST301", "Empty JWT is sent in Authorization header");
  }
  if (reason === "expired") {
    return tokenError("PGRST303", "JWT expired");
  }
  const parts = token.split(".").length;
  if (parts !== 3) {
    return tokenError("PGRST301", `Expected 3 parts in JWT; got ${parts}`);
  }
  return tokenError(
    "PGRST301",
    "No suitable key or wrong key type",
    "None of the keys was able to decode the JWT",
  );
}

function tokenError(code: string, message: string, details: string | null = null): Credentials {
  const headers = {
    "WWW-Authenticate": `Bearer error="invalid_token", error_description="${message}"`,
  };
  const body = { code, details, hint: null, message };
  return { ok: false, response: jsonResponse(401, body, headers) };
}
