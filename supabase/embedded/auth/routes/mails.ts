import { z } from "zod";
import {
  mailAccount,
  resendEmailChange,
  mailReauthentication,
} from "#embedded/auth/account-mails.ts";
import { requireSignedIn } from "#embedded/auth/bearer.ts";
import { readBody } from "#embedded/auth/body.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError, validationFailed } from "#embedded/auth/errors.ts";
import { emailField, normalizeEmail, pkceFields } from "#embedded/auth/fields.ts";
import { takeMailLimits } from "#embedded/auth/mail-limits.ts";
import { readChallenge } from "#embedded/auth/pkce.ts";
import { findUser } from "#embedded/auth/users.ts";

const recoverSchema = z.object({ email: emailField, ...pkceFields });

/** POST /recover: returns {} for every address. */
export async function recover(context: AuthContext, c: AuthRequest): Promise<Response> {
  const body = await readBody(c, recoverSchema);
  if (!body.email) {
    throw validationFailed("Password recovery requires an email");
  }
  const email = normalizeEmail(body.email);
  const target = linkTarget(context, c, body);
  await requireDatabase(context);
  await takeMailLimits(context, c, "recovery", email);
  mailAccount(context, "recovery", email, target);
  return c.json({});
}

const otpSchema = z.object({
  email: emailField,
  create_user: z.boolean().nullish(),
  ...pkceFields,
});

/** POST /otp: returns {}. Never creates an account. */
export async function otp(context: AuthContext, c: AuthRequest): Promise<Response> {
  const body = await readBody(c, otpSchema);
  if (!body.email) {
    throw validationFailed("One of email or phone must be set");
  }
  const email = normalizeEmail(body.email);
  const target = linkTarget(context, c, body);
  if (!context.settings.confirmEmail && !(await findUser(context.db, { email }))) {
    throw new AuthError(422, "otp_disabled", "Signups not allowed for otp");
  }
  await requireDatabase(context);
  await takeMailLimits(context, c, "magic_link", email);
  mailAccount(context, "magic_link", email, target);
  return c.json({});
}

const resendSchema = z.object({
  type: z.string().max(32).nullish(),
  email: emailField,
  ...pkceFields,
});

/** POST /resend: returns {} for every address. */
export async function resend(context: AuthContext, c: AuthRequest): Promise<Response> {
  const body = await readBody(c, resendSchema);
  if (body.type !== "signup" && body.type !== "email_change") {
    throw validationFailed("Missing one of these types: signup, email_change, sms, phone_change");
  }
  if (!body.email) {
    throw validationFailed("Type provided requires an email address");
  }
  const email = normalizeEmail(body.email);
  const target = linkTarget(context, c, body);
  await requireDatabase(context);
  if (body.type === "signup") {
    await takeMailLimits(context, c, "confirmation", email);
    mailAccount(context, "confirmation", email, target);
    return c.json({});
  }
  await takeMailLimits(context, c, "email_change", email);
  resendEmailChange(context, email, target);
  return c.json({});
}

/** GET /reauthenticate: returns {}. */
export async function reauthenticate(context: AuthContext, c: AuthRequest): Promise<Response> {
  const { user } = await requireSignedIn(context, c);
  if (!user.email_confirmed_at) {
    throw new AuthError(422, "email_not_confirmed", "Please verify your email first.");
  }
  await takeMailLimits(context, c, "reauthentication", user.email);
  const now = new Date(context.now());
  await context.db`
    update auth.users set reauthentication_sent_at = ${now}, updated_at = ${now} where id = ${user.id}`;
  mailReauthentication(context, user);
  return c.json({});
}

/** Throws if the database is down: mails are composed after the response, too late for an error. */
async function requireDatabase({ db }: AuthContext): Promise<void> {
  await db`select`;
}

function linkTarget(
  context: AuthContext,
  c: AuthRequest,
  body: Parameters<typeof readChallenge>[0],
) {
  return {
    challenge: readChallenge(body),
    redirectTo: context.allowedRedirect(c.req.query("redirect_to")),
  };
}
