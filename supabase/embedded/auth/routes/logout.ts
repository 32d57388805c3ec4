import { requireSignedIn } from "../bearer.ts";
import type { AuthContext, AuthRequest } from "../context.ts";
import { validationFailed } from "../errors.ts";
import { lockUser } from "../factors.ts";

/** POST /logout?scope=global|local|others (global when not given): 204. */
export async function logout(context: AuthContext, c: AuthRequest): Promise<Response> {
  const scope = c.req.query("scope") || "global";
  const { session, user } = await requireSignedIn(context, c);
  await context.db.begin(async (tx) => {
    await lockUser(tx, user.id);
    switch (scope) {
      case "global":
        return tx`delete from auth.sessions where user_id = ${user.id}`;
      case "local":
        return tx`delete from auth.sessions where id = ${session.id}`;
      case "others":
        return tx`delete from auth.sessions where user_id = ${user.id} and id <> ${session.id}`;
      default:
        throw validationFailed(`Unsupported logout scope "${scope}"`);
    }
  });
  return c.body(null, 204);
}
