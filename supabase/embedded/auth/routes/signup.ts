import { z } from "zod";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError } from "#embedded/auth/errors.ts";
import { checkPassword, emailField, readBody } from "#embedded/auth/fields.ts";
import { insertUser, newUser } from "#embedded/auth/new-user.ts";
import { hashPassword, verifyPassword } from "#embedded/auth/passwords.ts";
import { createSession } from "#embedded/auth/sessions.ts";
import { mailToken } from "#embedded/auth/token-mails.ts";
import { findUser, type User, userJson } from "#embedded/auth/users.ts";

const bodySchema = z.object({ email: emailField, password: z.string() });

/** POST /signup: returns a token response or, with confirmation on, a user for every address. */
export async function signup(context: AuthContext, c: AuthRequest): Promise<Response> {
  const { email, password } = await readBody(c, bodySchema);
  checkPassword(password);
  const confirmed = !context.confirmEmail;
  const passwordHash = await hashPassword(password);
  const user = newUser({ email, passwordHash, confirmed, now: context.now() });
  if (confirmed) {
    return c.json(await registerAndSignIn(context, c, user));
  }

  await registerUnconfirmed(context, user, password);
  await context.limits.requestMail("confirmation", email);
  mailToken(context, "confirmation", email, c.req.query("redirect_to"));
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
async function registerUnconfirmed(
  context: AuthContext,
  user: User,
  password: string,
): Promise<void> {
  // Done for every address, so that each sign-up takes the same time.
  const storedBefore =
    (await findUser(context.db, { email: user.email }))?.encrypted_password ?? null;
  const matchedBefore = await verifyPassword(storedBefore, password);
  const isDone = await context.db.begin(async (tx) => {
    if (await insertUser(tx, user)) {
      context.log.info("An account was created", { account: user.id });
      return true;
    }
    const [known] = await tx<Pick<User, "id" | "encrypted_password" | "email_confirmed_at">>`
      select id, encrypted_password, email_confirmed_at from auth.users
      where email = ${user.email} for no key update`;
    if (!known || known.email_confirmed_at) {
      return true;
    }
    if (known.encrypted_password !== storedBefore) {
      return false;
    }
    if (!matchedBefore) {
      await tx`update auth.users set encrypted_password = null where id = ${known.id}`;
    }
    return true;
  });
  // Another sign-up stored a hash in the meantime, or took it away.
  if (!isDone) {
    await registerUnconfirmed(context, user, password);
  }
}
