import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { Keys } from "./keys.ts";

export type AccessClaims = JWTPayload & { role: string; exp: number };

type Verified = { ok: true; claims: AccessClaims } | { ok: false; reason: "expired" | "signature" };

/** Signs the claims unchanged, without adding `iat` or `exp`. */
export function signAccessToken(keys: Keys, claims: AccessClaims): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", kid: keys.signing.kid, typ: "JWT" })
    .sign(keys.signing.privateKey);
}

// All calls of a page have the same token, and each check of its signature takes 0.3 ms of a thread.
const signed = new Map<string, AccessClaims>();
const signedLimit = 500;

/** Verifies a token at `now` in milliseconds. Accepts ES256 only (RFC 8725 section 3.1). */
export async function verifyAccessToken(keys: Keys, token: string, now: number): Promise<Verified> {
  const known = signed.get(token);
  if (known && known.exp > Math.floor(now / 1000)) {
    return { ok: true, claims: known };
  }
  try {
    const { payload } = await jwtVerify(token, keys.signing.publicKey, {
      algorithms: ["ES256"],
      currentDate: new Date(now),
      requiredClaims: ["role", "exp"],
    });
    if (typeof payload["role"] !== "string") {
      return { ok: false, reason: "signature" };
    }
    const claims = payload as AccessClaims;
    if (signed.size === signedLimit) {
      signed.clear();
    }
    signed.set(token, claims);
    return { ok: true, claims };
  } catch (error) {
    return { ok: false, reason: error instanceof errors.JWTExpired ? "expired" : "signature" };
  }
}

/** Returns the token that a request bears, if any. */
export const bearerToken = (headers: Headers): string | undefined =>
  /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
