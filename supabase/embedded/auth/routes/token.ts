import { addressKey } from "../../address.ts";
import { z } from "zod";
import { readBody } from "../body.ts";
import type { AuthContext, AuthRequest } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { maxEmailLength } from "../fields.ts";
import { verifyPassword } from "../passwords.ts";
import { finishFlow } from "../pkce.ts";
import { createSession } from "../sessions.ts";
import { findUser, isBanned, reloadUser } from "../users.ts";
import { refresh } from "./refresh.ts";

/** POST /token?grant_type=password|refresh_token|pkce: the token answer. */
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

const passwordSchema = z.object({ email: z.string().nullish(), password: z.string().nullish() });

async function signInWithPassword(context: AuthContext, c: AuthRequest) {
  const body = await readBody(c, passwordSchema);
  if (!body.email) {
    throw validationFailed("missing email or phone");
  }
  if (body.email.length > maxEmailLength) {
    throw validationFailed("An email address is too long");
  }
  const email = body.email.toLowerCase();
  const fromAddress = `${addressKey(c.env.client.address)} ${email}`;
  // Counted before the hash is compared, or many tries at once would all pass.
  await context.limits.take("wrongPasswordFromAddress", fromAddress);
  await context.limits.take("wrongPassword", email);
  const user = await findUser(context.db, { email });
  if (!(await verifyPassword(user?.encrypted_password ?? null, body.password ?? "")) || !user) {
    throw new AuthError(400, "invalid_credentials", "Invalid login credentials");
  }
  await context.limits.giveBack("wrongPassword", email);
  await context.limits.giveBack("wrongPasswordFromAddress", fromAddress);
  if (isBanned(user, context.now())) {
    throw new AuthError(400, "user_banned", "User is banned");
  }
  if (!user.email_confirmed_at) {
    throw new AuthError(400, "email_not_confirmed", "Email not confirmed");
  }
  return createSession(context.db, context, c, user, "password");
}

const pkceSchema = z.object({
  auth_code: z.string().nullish(),
  code_verifier: z.string().nullish(),
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
