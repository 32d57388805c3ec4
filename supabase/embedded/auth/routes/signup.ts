import { z } from "zod";
import { mailAccount, takeMailLimits } from "../account-mails.ts";
import { readBody } from "../body.ts";
import type { AuthContext, AuthRequest } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { checkPassword, normalEmail, pkceFields } from "../fields.ts";
import { insertUser, newUser } from "../new-user.ts";
import { hashPassword, verifyPassword } from "../passwords.ts";
import { readChallenge } from "../pkce.ts";
import { createSession } from "../sessions.ts";
import { findUser, type Metadata, type User, userJson } from "../users.ts";

const bodySchema = z.object({
  email: z.string().nullish(),
  password: z.string().nullish(),
  data: z.record(z.string(), z.json()).nullish(),
  ...pkceFields,
});

/**
 * POST /signup. Confirmation off: the token answer, or 422 user_already_exists. Confirmation on:
 * a user who must follow the mail, and the same for an address that has an account already.
 */
export async function signup(context: AuthContext, c: AuthRequest): Promise<Response> {
  const body = await readBody(c, bodySchema);
  if (!body.email) {
    throw new AuthError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled");
  }
  if (!body.password) {
    throw validationFailed("Signup requires a valid password");
  }
  checkPassword(body.password, context.settings);
  const email = normalEmail(body.email);
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
    return createSession(tx, context, c, user, "password");
  });
}

/**
 * Where two sign-ups of an unconfirmed address disagree about the password, none of them counts:
 * whoever follows the mail gets in by it, and not also whoever signed up with the address first.
 */
async function registerUnconfirmed(context: AuthContext, user: User, password: string) {
  // Asked for every address, so that each sign-up takes as long.
  const seen = (await findUser(context.db, { email: user.email }))?.encrypted_password ?? null;
  const agreed = await verifyPassword(seen, password);
  await context.db.begin(async (tx) => {
    if (await insertUser(tx, user)) {
      return;
    }
    const [known] = await tx<Pick<User, "encrypted_password">[]>`
      select encrypted_password from auth.users
      where email = ${user.email} and not is_sso_user for no key update`;
    const stored = known?.encrypted_password ?? null;
    // Another sign-up can have come in between.
    const agrees = stored === seen ? agreed : await verifyPassword(stored, password);
    await tx`
      update auth.users set encrypted_password =
        case when email_confirmed_at is null and not ${agrees}::boolean then null
        else encrypted_password end
      where email = ${user.email} and not is_sso_user`;
  });
}
