import { z } from "zod";
import { findSignedIn } from "#embedded/auth/bearer.ts";
import { readBody } from "#embedded/auth/body.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError, validationFailed } from "#embedded/auth/errors.ts";
import { emailField, isEmail, maxEmailLength, passwordField } from "#embedded/auth/fields.ts";
import { tryPassword } from "#embedded/auth/password-attempts.ts";
import { finishFlow } from "#embedded/auth/pkce.ts";
import { addMethod, createSession } from "#embedded/auth/sessions.ts";
import { findUser, isBanned, reloadUser, type User } from "#embedded/auth/users.ts";
import { refresh } from "./refresh.ts";

/** POST /token?grant_type=password|refresh_token|pkce: returns a token response. */
export async function token(context: AuthContext, c: AuthRequest): Promise<Response> {
  switch (c.req.query("grant_type")) {
    case "password":
      return c.json(await signInWithPassword(context, c));
    case "refresh_token":
      return c.json(await refresh(context, c));
    case "pkce":
      return c.json(await exchangeAuthCode(context, c));
    default:
      throw new AuthError(400, "invalid_credentials", "unsupported_grant_type");
  }
}

const passwordSchema = z.object({ email: emailField, password: passwordField });

async function signInWithPassword(context: AuthContext, c: AuthRequest) {
  const body = await readBody(c, passwordSchema);
  if (!body.email) {
    throw validationFailed("missing email or phone");
  }
  if (body.email.length > maxEmailLength) {
    throw validationFailed("An email address is too long");
  }
  const email = body.email.toLowerCase();
  const user = isEmail(body.email) ? await findUser(context.db, { email }) : undefined;
  if (!(await tryPassword(context, c, { email, user }, body.password ?? "")) || !user) {
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
  return createSession(context.db, context, c, user, "password");
}

// Beyond GoTrue: see CONTRACT.md, "Recent authentication".
async function reauthenticate(context: AuthContext, c: AuthRequest, user: User): Promise<void> {
  const signedIn = await findSignedIn(context, c);
  if (signedIn?.user.id === user.id) {
    await addMethod(context.db, context, signedIn.session.id, "password");
  }
}

const pkceSchema = z.object({
  auth_code: z.string().max(256).nullish(),
  code_verifier: z.string().max(256).nullish(),
});

async function exchangeAuthCode(context: AuthContext, c: AuthRequest) {
  const { auth_code: code, code_verifier: verifier } = await readBody(c, pkceSchema);
  if (!code || !verifier) {
    throw validationFailed("invalid request: both auth code and code verifier should be non-empty");
  }
  return context.db.begin(async (tx) => {
    const { userId, authMethod } = await finishFlow(tx, context, code, verifier);
    const user = await reloadUser(tx, userId);
    if (isBanned(user, context.now())) {
      throw new AuthError(400, "user_banned", "User is banned");
    }
    return createSession(tx, context, c, user, authMethod);
  });
}
