import type { TransactionSql } from "postgres";
import { z } from "zod";
import { mailAccount } from "#embedded/auth/account-mails.ts";
import { readBody } from "#embedded/auth/body.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError, validationFailed } from "#embedded/auth/errors.ts";
import {
  checkPassword,
  emailField,
  normalizeEmail,
  passwordField,
  pkceFields,
} from "#embedded/auth/fields.ts";
import { takeMailLimits } from "#embedded/auth/mail-limits.ts";
import { insertUser, newUser } from "#embedded/auth/new-user.ts";
import { hashPassword, verifyPassword } from "#embedded/auth/passwords.ts";
import { readChallenge } from "#embedded/auth/pkce.ts";
import { createSession } from "#embedded/auth/sessions.ts";
import { findUser, type Metadata, type User, userJson } from "#embedded/auth/users.ts";

const bodySchema = z.object({
  email: emailField,
  password: passwordField,
  data: z.record(z.string(), z.json()).nullish(),
  ...pkceFields,
});

/** POST /signup: returns a token response or, with confirmation on, a user for every address. */
export async function signup(context: AuthContext, c: AuthRequest): Promise<Response> {
  const body = await readBody(c, bodySchema);
  if (!body.email) {
    throw new AuthError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled");
  }
  if (!body.password) {
    throw validationFailed("Signup requires a valid password");
  }
  checkPassword(body.password, context.settings);
  const email = normalizeEmail(body.email);
  const challenge = readChallenge(body);
  const confirmed = !context.settings.confirmEmail;
  const user = newUser({
    email,
    passwordHash: await hashPassword(body.password),
    data: (body.data ?? {}) as Metadata,
    confirmed,
    now: context.now(),
  });
  if (confirmed) {
    return c.json(await registerAndSignIn(context, c, user));
  }

  await registerUnconfirmed(context, user, body.password);
  await takeMailLimits(context, c, "confirmation", email);
  const redirectTo = context.allowedRedirect(c.req.query("redirect_to"));
  mailAccount(context, "confirmation", email, { redirectTo, challenge });
  return c.json(userJson(user));
}

function registerAndSignIn(context: AuthContext, c: AuthRequest, user: User) {
  return context.db.begin(async (tx) => {
    if (!(await insertUser(tx, user))) {
      throw new AuthError(422, "user_already_exists", "User already registered");
    }
    context.log.info("An account was created", { account: user.id });
    return createSession(tx, context, c, user, "password");
  });
}

/** After sign-ups with two different passwords neither works: one may be a stranger's. */
async function registerUnconfirmed(context: AuthContext, user: User, password: string) {
  // Done for every address, so that each sign-up takes the same time.
  const storedBefore =
    (await findUser(context.db, { email: user.email }))?.encrypted_password ?? null;
  const matchedBefore = await verifyPassword(storedBefore, password);
  await context.db.begin(async (tx) => {
    if (await insertUser(tx, user)) {
      context.log.info("An account was created", { account: user.id });
      return;
    }
    const [known] = await tx<Pick<User, "id" | "encrypted_password" | "email_confirmed_at">[]>`
      select id, encrypted_password, email_confirmed_at from auth.users
      where email = ${user.email} and not is_sso_user for no key update`;
    if (!known || known.email_confirmed_at) {
      return;
    }
    const stored = known.encrypted_password;
    // Another sign-up may have stored a hash in the meantime.
    const matches =
      stored === storedBefore ? matchedBefore : await verifyPassword(stored, password);
    if (!matches) {
      await clearSignUp(tx, known.id, user.email);
    }
  });
}

async function clearSignUp(tx: TransactionSql, id: string, email: string): Promise<void> {
  const claims = tx.json({ sub: id, email, email_verified: false, phone_verified: false });
  await tx`
    update auth.users set encrypted_password = null, raw_user_meta_data = ${claims}
    where id = ${id}`;
  await tx`update auth.identities set identity_data = ${claims} where user_id = ${id}`;
}
