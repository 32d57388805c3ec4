import type { TransactionSql } from "postgres";
import { z } from "zod";
import { mailEmailChange } from "#embedded/auth/account-mails.ts";
import {
  lacksFactor,
  requireRecent,
  requireSignedIn,
  type SignedIn,
} from "#embedded/auth/bearer.ts";
import { readBody } from "#embedded/auth/body.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError, emailExists } from "#embedded/auth/errors.ts";
import { emailField, normalizeEmail, passwordField, pkceFields } from "#embedded/auth/fields.ts";
import { takeMailLimits, takeRecipientLimits } from "#embedded/auth/mail-limits.ts";
import { changePassword, newPasswordHash } from "#embedded/auth/password-change.ts";
import { readChallenge } from "#embedded/auth/pkce.ts";
import {
  findUser,
  type Metadata,
  refuseLargeMetadata,
  reloadUser,
  userJson,
} from "#embedded/auth/users.ts";

export async function getUser(context: AuthContext, c: AuthRequest): Promise<Response> {
  const { user } = await requireSignedIn(context, c);
  return c.json(userJson(user));
}

const bodySchema = z.object({
  email: emailField,
  password: passwordField,
  current_password: passwordField,
  nonce: z.string().max(64).nullish(),
  data: z.record(z.string(), z.json()).nullish(),
  app_metadata: z.unknown().optional(),
  ...pkceFields,
});

/** PUT /user: returns the changed user. A new address is pending until it is confirmed. */
export async function putUser(context: AuthContext, c: AuthRequest): Promise<Response> {
  const signedIn = await requireSignedIn(context, c);
  const { user } = signedIn;
  const body = await readBody(c, bodySchema);
  if (body.app_metadata) {
    throw new AuthError(403, "not_admin", "Updating app_metadata requires admin privileges");
  }
  const email = body.email ? normalizeEmail(body.email) : user.email;
  const changesEmail = email !== user.email;
  const challenge = readChallenge(body);
  if (body.password || changesEmail) {
    requireSecondFactor(signedIn);
  }
  if (changesEmail) {
    requireRecent(context, signedIn);
    await checkNewEmail(context, c, user.email, email);
  }

  const passwordHash = body.password
    ? await newPasswordHash(context, c, signedIn, { ...body, password: body.password })
    : undefined;
  await context.db.begin(async (tx) => {
    if (passwordHash) {
      await changePassword(tx, context, signedIn, passwordHash);
    }
    if (body.data) {
      await mergeData(tx, context, user.id, body.data as Metadata);
    }
    if (changesEmail) {
      await setPendingEmail(tx, context, user.id, email);
    }
  });
  if (passwordHash) {
    context.log.info("A password was changed", { account: user.id });
  }
  if (changesEmail) {
    context.log.info("A change of address was requested", { account: user.id });
    const redirectTo = context.allowedRedirect(c.req.query("redirect_to"));
    mailEmailChange(context, { id: user.id }, { redirectTo, challenge });
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

// With confirmation on, the response must not reveal that the new address has an account.
async function checkNewEmail(
  context: AuthContext,
  c: AuthRequest,
  current: string,
  requested: string,
) {
  if (!context.settings.confirmEmail && (await findUser(context.db, { email: requested }))) {
    throw emailExists();
  }
  await takeMailLimits(context, c, "email_change", current);
  await takeRecipientLimits(context, requested);
}

async function mergeData(tx: TransactionSql, { now }: AuthContext, userId: string, data: Metadata) {
  const removed = Object.keys(data).filter((key) => data[key] === null);
  await tx`
    update auth.users set updated_at = ${new Date(now())},
      raw_user_meta_data = (coalesce(raw_user_meta_data, '{}') || ${tx.json(data)}) - ${removed}::text[]
    where id = ${userId}`.catch(refuseLargeMetadata);
}

async function setPendingEmail(
  tx: TransactionSql,
  { now }: AuthContext,
  id: string,
  email: string,
) {
  const at = new Date(now());
  await tx`
    update auth.users set email_change = ${email}, email_change_sent_at = ${at},
      email_change_confirm_status = 0, updated_at = ${at}
    where id = ${id}`;
  // Tokens mailed for an earlier new address are void.
  await tx`
    delete from auth.one_time_tokens
    where user_id = ${id}
      and token_type in ('email_change_token_new', 'email_change_token_current')`;
}
