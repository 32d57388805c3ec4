import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import {
  changeSignedIn,
  isRecent,
  lacksFactor,
  requireProof,
  requireSignedIn,
  type SignedIn,
} from "#embedded/auth/bearer.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError, emailExists } from "#embedded/auth/errors.ts";
import { checkPassword, emailField, readBody } from "#embedded/auth/fields.ts";
import type { MailOutcome } from "#embedded/auth/mail.ts";
import { deleteOneTimeTokens, voidOneTimeTokens } from "#embedded/auth/one-time-tokens.ts";
import { hashPassword, verifyPassword } from "#embedded/auth/passwords.ts";
import { mailEmailChange } from "#embedded/auth/token-mails.ts";
import { findUser, reloadUser, userJson } from "#embedded/auth/users.ts";
import type { Sql } from "#embedded/sql.ts";

/** GET /user: returns the user of the access token. */
export async function getUser(context: AuthContext, c: AuthRequest): Promise<Response> {
  const { user } = await requireSignedIn(context, c);
  return c.json(userJson(user));
}

const bodySchema = z.object({
  email: emailField.optional(),
  password: z.string().optional(),
  current_password: z.string().optional(),
});

/** PUT /user: returns the changed user. A new address is pending until it is confirmed. */
export async function putUser(context: AuthContext, c: AuthRequest): Promise<Response> {
  const signedIn = await requireSignedIn(context, c);
  const { user } = signedIn;
  const { email, password, current_password: current } = await readBody(c, bodySchema);
  if (password !== undefined) {
    requireSecondFactor(signedIn);
    await setPassword(context, c, signedIn, { password, current });
  }
  if (email !== undefined && email !== user.email) {
    requireSecondFactor(signedIn);
    requireProof(context, signedIn);
    await requestEmail(context, c, signedIn, email);
  }
  return c.json(userJson(await reloadUser(context.db, user.id)));
}

function requireSecondFactor(signedIn: SignedIn): void {
  if (lacksFactor(signedIn)) {
    throw new AuthError(
      401,
      "insufficient_aal",
      "AAL2 session is required to update email or password when MFA is enabled.",
    );
  }
}

/**
 * Also ends the other sessions, and deletes mailed tokens, a pending change of address and factors that
 * were never verified: somebody who knew the old password may have begun them.
 */
async function setPassword(
  context: AuthContext,
  c: AuthRequest,
  read: SignedIn,
  given: { password: string; current: string | undefined },
): Promise<void> {
  const { user } = read;
  const hash = await newPasswordHash(context, read, given);
  await changeSignedIn(context, c, async (tx, { user: { encrypted_password }, session }) => {
    if (encrypted_password !== user.encrypted_password) {
      throw currentPasswordInvalid();
    }
    await tx`
      update auth.users set encrypted_password = ${hash}, confirmation_sent_at = null,
        email_change = '', email_change_sent_at = null, email_change_confirm_status = 0,
        updated_at = ${new Date(context.now())}
      where id = ${user.id}`;
    await deleteOneTimeTokens(tx, user.id);
    await tx`delete from auth.sessions where user_id = ${user.id} and id <> ${session.id}`;
    await tx`
      delete from auth.mfa_factors where user_id = ${user.id} and status = 'unverified'`;
  });
  context.log.info("A password was changed", { account: user.id });
  context.onAccountChange("password_changed", user.email);
}

/** Checks a new password and returns its hash. Throws AuthError 400 or 422. */
async function newPasswordHash(
  context: AuthContext,
  signedIn: SignedIn,
  { password, current }: { password: string; current: string | undefined },
): Promise<string> {
  const { user, session } = signedIn;
  checkPassword(password);
  if (!isRecent(context, session.mailed_at)) {
    await requireCurrentPassword(context, signedIn, current);
  }
  if (await verifyPassword(user.encrypted_password, password)) {
    throw new AuthError(
      422,
      "same_password",
      "New password should be different from the old password.",
    );
  }
  return hashPassword(password);
}

async function requireCurrentPassword(
  context: AuthContext,
  signedIn: SignedIn,
  current: string | undefined,
): Promise<void> {
  const { user } = signedIn;
  if (!user.encrypted_password) {
    requireProof(context, signedIn);
    return;
  }
  if (!current) {
    throw new AuthError(400, "current_password_required", currentPasswordText);
  }
  if (!(await verifyPassword(user.encrypted_password, current))) {
    throw currentPasswordInvalid();
  }
}

const currentPasswordText = "Current password required when setting new password.";

const currentPasswordInvalid = () =>
  new AuthError(400, "current_password_invalid", currentPasswordText);

async function requestEmail(
  context: AuthContext,
  c: AuthRequest,
  { user }: SignedIn,
  email: string,
): Promise<void> {
  if (context.confirmEmail) {
    await context.limits.requestMail("email_change", user.email);
  } else if (await findUser(context.db, { email })) {
    // With confirmation on, the response must not reveal that the address has an account.
    throw emailExists();
  }
  await context.limits.requestMail("email_change", email);
  await changeSignedIn(context, c, (tx) => setPendingEmail(tx, context, user.id, email));
  context.log.info("A change of address was requested", { account: user.id });
  const redirectTo = c.req.query("redirect_to");
  if (context.confirmEmail) {
    // The mails are made after the response, because its time must not reveal it either.
    context.background.run(async () => {
      await mailEmailChange(context, user.id, redirectTo);
    });
    return;
  }
  if (await isRefused(await mailEmailChange(context, user.id, redirectTo))) {
    await context.db`
      update auth.users set email_change = '', email_change_sent_at = null
      where id = ${user.id} and email_change = ${email}`;
    throw new AuthError(500, "unexpected_failure", "Error sending email change email");
  }
  context.onAccountChange("email_requested", user.email);
}

// Within a form's deadline, which is ten seconds on the site.
const answerMs = 5_000;

/** Whether the mail server refuses an address, as far as it answers in time. */
async function isRefused(sends: Promise<MailOutcome | undefined>[]): Promise<boolean> {
  const late = sleep(answerMs, undefined, { ref: false });
  return (await Promise.race([Promise.all(sends), late]))?.includes("refused") ?? false;
}

async function setPendingEmail(tx: Sql, context: AuthContext, id: string, email: string) {
  const at = new Date(context.now());
  await tx`
    update auth.users set email_change = ${email}, email_change_sent_at = ${at},
      email_change_confirm_status = 0, updated_at = ${at}
    where id = ${id}`;
  // Those that were mailed for an earlier new address.
  await voidOneTimeTokens(tx, context, id, [
    "email_change_token_new",
    "email_change_token_current",
  ]);
}
