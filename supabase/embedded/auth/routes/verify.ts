import { z } from "zod";
import { readBody } from "../body.ts";
import { redeem } from "../confirmations.ts";
import type { AuthContext, AuthRequest } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { normalEmail } from "../fields.ts";
import { findByCode, findByLink, type TokenType } from "../one-time-tokens.ts";
import { createSession } from "../sessions.ts";

/** The answer to the first of the two mails that change an address where confirmation is on. */
export const halfConfirmed =
  "Confirmation link accepted. Please proceed to confirm link sent to the other email";

const bodySchema = z.object({
  type: z.string().nullish(),
  token: z.string().nullish(),
  token_hash: z.string().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
});

/** POST /verify by `token_hash`, or by `email` and the 6-digit `token`: the token answer. */
export async function verify(context: AuthContext, c: AuthRequest): Promise<Response> {
  const body = await readBody(c, bodySchema);
  const types = tokenTypes(body.type);
  const byCode = readCode(body);
  const answer = await context.db.begin(async (tx) => {
    const token = byCode
      ? await findByCode(tx, context, { ...byCode, types })
      : await findByLink(tx, context, body.token_hash ?? "", types);
    if (!token) {
      return undefined;
    }
    const user = await redeem(tx, context, token);
    return user ? createSession(tx, context, c, user, "otp") : { msg: halfConfirmed, code: "200" };
  });
  if (answer) {
    return c.json(answer);
  }
  throw byCode
    ? new AuthError(403, "otp_expired", "Token has expired or is invalid")
    : linkExpired();
}

/** 403 for a mailed link that is unknown, too old, or used. */
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

/** The kinds of token that a verification of this type takes. Throws 400 validation_failed. */
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
  return { email: normalEmail(body.email), code: body.token };
}
