import { requireSignedIn } from "../bearer.ts";
import type { AuthContext, AuthRequest } from "../context.ts";
import { validationFailed } from "../errors.ts";

/** POST /logout?scope=global|local|others (global when not given): 204. */
export async function logout(context: AuthContext, c: AuthRequest): Promise<Response> {
  const scope = c.req.query("scope") || "global";
  const { session, user } = await requireSignedIn(context, c);
  const { db } = context;
  switch (scope) {
    case "global":
      await db`delete from auth.sessions where user_id = ${user.id}`;
      break;
    case "local":
      await db`delete from auth.sessions where id = ${session.id}`;
      break;
    case "others":
      await db`delete from auth.sessions where user_id = ${user.id} and id <> ${session.id}`;
      break;
    default:
      throw validationFailed(`Unsupported logout scope "${scope}"`);
  }
  return c.body(null, 204);
}
