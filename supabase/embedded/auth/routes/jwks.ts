import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";

/** GET /.well-known/jwks.json: returns the public key that verifies access tokens. */
export function jwks({ keys }: AuthContext, c: AuthRequest): Response {
  c.header("Cache-Control", "public, max-age=600");
  return c.json({ keys: [keys.signing.publicJwk] });
}
