import { z } from "zod";
import { findSignedIn } from "#embedded/auth/bearer.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError } from "#embedded/auth/errors.ts";
import { readBody } from "#embedded/auth/fields.ts";
import { tryPassword } from "#embedded/auth/passwords.ts";
import { addMethod, createSession } from "#embedded/auth/sessions.ts";
import { findUser, isBanned, type User } from "#embedded/auth/users.ts";
import { refresh } from "./refresh.ts";

/** POST /token?grant_type=password|refresh_token: returns a token response. */
export async function token(context: AuthContext, c: AuthRequest): Promise<Response> {
  const isPassword = c.req.query("grant_type") === "password";
  return c.json(await (isPassword ? signInWithPassword(context, c) : refresh(context, c)));
}

// Any text: what is no address has no account.
const passwordSchema = z.object({ email: z.string(), password: z.string() });

async function signInWithPassword(context: AuthContext, c: AuthRequest) {
  const body = await readBody(c, passwordSchema);
  const email = body.email.toLowerCase();
  const user = await findUser(context.db, { email });
  if (!(await tryPassword(context, c, { email, user }, body.password)) || !user) {
    context.log.info("A sign-in failed", { account: user?.id ?? "none" });
    throw new AuthError(400, "invalid_credentials", "Invalid login credentials");
  }
  if (isBanned(user, context.now())) {
    throw new AuthError(400, "user_banned", "User is banned");
  }
  if (!user.email_confirmed_at) {
    throw new AuthError(400, "email_not_confirmed", "Email not confirmed");
  }
  await reauthenticate(context, c, user);
  // GoTrue says here whether its rules call the password weak by now.
  return {
    ...(await createSession(context.db, context, c, user, "password")),
    weak_password: null,
  };
}

// Beyond GoTrue: the password also authenticates the session whose token the request carries.
async function reauthenticate(context: AuthContext, c: AuthRequest, user: User): Promise<void> {
  const signedIn = await findSignedIn(context, c);
  if (signedIn?.user.id === user.id) {
    await addMethod(context.db, context, {
      sessionId: signedIn.session.id,
      method: "password",
      isProof: true,
    });
  }
}
