import type { Keys } from "#embedded/keys.ts";
import { type AccessClaims, bearerToken, verifyAccessToken } from "#embedded/tokens.ts";
import { RestError } from "./errors.ts";

export type Claims = Partial<AccessClaims> & { role: string };

/**
 * Reads the claims of a bearer token; without one the role is anon. supabase-js sends its key as
 * the bearer of a visitor, which is no token. Throws RestError 401 for a token that is refused.
 */
export async function readClaims(keys: Keys, headers: Headers, now: number): Promise<Claims> {
  const token = bearerToken(headers);
  if (token === undefined || token.startsWith("sb_")) {
    return { role: "anon" };
  }
  const verified = await verifyAccessToken(keys, token, now);
  if (verified.ok) {
    return verified.claims;
  }
  throw verified.reason === "expired"
    ? new RestError(401, { code: "PGRST303", message: "JWT expired" })
    : new RestError(401, {
        code: "PGRST301",
        message: "No suitable key or wrong key type",
        details: "None of the keys was able to decode the JWT",
      });
}
