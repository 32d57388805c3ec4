import { z } from "zod";
import { findSignedIn, lacksFactor } from "#embedded/auth/bearer.ts";
import { readBody } from "#embedded/auth/body.ts";
import { redeem } from "#embedded/auth/confirmations.ts";
import { type AuthContext, type AuthRequest, clientAndAccount } from "#embedded/auth/context.ts";
import { AuthError, validationFailed } from "#embedded/auth/errors.ts";
import { emailField, normalizeEmail } from "#embedded/auth/fields.ts";
import { findByCode, findByLink, type TokenType } from "#embedded/auth/one-time-tokens.ts";
import { createSession } from "#embedded/auth/sessions.ts";

export const halfConfirmed =
  "Confirmation link accepted. Please proceed to confirm link sent to the other email";

const bodySchema = z.object({
  type: z.string().max(32).nullish(),
  token: z.string().max(256).nullish(),
  token_hash: z.string().max(256).nullish(),
  email: emailField,
  phone: z.string().max(32).nullish(),
});

/** POST /verify: returns a token response for a mailed link or code. */
export async function verify(context: AuthContext, c: AuthRequest): Promise<Response> {
  const body = await readBody(c, bodySchema);
  const types = tokenTypes(body.type);
  const byCode = readCode(body);
  const key = byCode && clientAndAccount(c, byCode.email);
  if (key) {
    await context.limits.take("wrongMailedCode", key);
  }
  const signedIn = await findSignedIn(context, c);
  const answer = await context.db.begin(async (tx) => {
    const token = byCode
      ? await findByCode(tx, context, { ...byCode, types })
      : await findByLink(tx, context, body.token_hash ?? "", types);
    if (!token) {
      return undefined;
    }
    const hasSession = signedIn?.user.id === token.user_id && !lacksFactor(signedIn);
    const user = await redeem(tx, context, token, hasSession);
    return user ? createSession(tx, context, c, user, "otp") : { msg: halfConfirmed, code: "200" };
  });
  if (!answer) {
    context.log.info("A mailed code or link failed", { account: signedIn?.user.id });
    throw byCode
      ? new AuthError(403, "otp_expired", "Token has expired or is invalid")
      : linkExpired();
  }
  if (key) {
    await context.limits.refund("wrongMailedCode", key);
  }
  return c.json(answer);
}

/** 403 for a link that is unknown, expired or used. */
export function linkExpired(): AuthError {
  return new AuthError(403, "otp_expired", "Email link is invalid or has expired");
}

const typesOf: Record<string, TokenType[]> = {
  signup: ["confirmation_token"],
  invite: ["confirmation_token"],
  recovery: ["recovery_token"],
  magiclink: ["recovery_token"],
  email: ["confirmation_token", "recovery_token"],
  email_change: ["email_change_token_current", "email_change_token_new"],
};

/** Returns the token types that a verification type accepts. Throws 400 validation_failed. */
export function tokenTypes(type: string | null | undefined): TokenType[] {
  if (!type) {
    throw validationFailed("Verify requires a verification type");
  }
  const types = Object.hasOwn(typesOf, type) ? typesOf[type] : undefined;
  if (!types) {
    throw validationFailed("Invalid email verification type");
  }
  return types;
}

function readCode(body: z.infer<typeof bodySchema>): { email: string; code: string } | undefined {
  if (Boolean(body.token) === Boolean(body.token_hash)) {
    throw validationFailed("Verify requires either a token or a token hash");
  }
  if (!body.token) {
    if (body.email || body.phone) {
      throw validationFailed("Only the token_hash and type should be provided");
    }
    return undefined;
  }
  if (!body.email || body.phone) {
    throw validationFailed("Only an email address or phone number should be provided on verify");
  }
  return { email: normalizeEmail(body.email), code: body.token };
}
