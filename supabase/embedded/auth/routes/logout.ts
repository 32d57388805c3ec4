import { changeSignedIn, lacksFactor, requireProof } from "#embedded/auth/bearer.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError } from "#embedded/auth/errors.ts";

/** POST /logout?scope=local|others: returns 204. */
export async function logout(context: AuthContext, c: AuthRequest): Promise<Response> {
  const scope = c.req.query("scope");
  const account = await changeSignedIn(context, c, async (tx, signedIn) => {
    const { session, user } = signedIn;
    if (scope === "others") {
      if (lacksFactor(signedIn)) {
        // auth-js takes a 403 for a successful sign-out.
        throw new AuthError(422, "insufficient_aal", "AAL2 required to sign out other sessions");
      }
      requireProof(context, signedIn);
    }
    await (scope === "others"
      ? tx`delete from auth.sessions where user_id = ${user.id} and id <> ${session.id}`
      : tx`delete from auth.sessions where id = ${session.id}`);
    return user.id;
  });
  context.log.info("An account signed out", { account, scope });
  return c.body(null, 204);
}
