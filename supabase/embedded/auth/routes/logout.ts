import { lacksFactor, requireSignedIn } from "#embedded/auth/bearer.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError } from "#embedded/auth/errors.ts";
import { lockUser } from "#embedded/auth/factors.ts";

/** POST /logout?scope=local|others: returns 204. */
export async function logout(context: AuthContext, c: AuthRequest): Promise<Response> {
  const scope = c.req.query("scope");
  const signedIn = await requireSignedIn(context, c);
  const { session, user } = signedIn;
  if (scope === "others" && lacksFactor(signedIn)) {
    // auth-js treats 403 as a successful sign-out.
    throw new AuthError(422, "insufficient_aal", "AAL2 required to sign out other sessions");
  }
  await context.db.begin(async (tx) => {
    await lockUser(tx, user.id);
    await (scope === "others"
      ? tx`delete from auth.sessions where user_id = ${user.id} and id <> ${session.id}`
      : tx`delete from auth.sessions where id = ${session.id}`);
  });
  context.log.info("An account signed out", { account: user.id, scope });
  return c.body(null, 204);
}
