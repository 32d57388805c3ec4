import { z } from "zod";
import { findSignedIn, lacksFactor } from "#embedded/auth/bearer.ts";
import { redeem } from "#embedded/auth/confirmations.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError } from "#embedded/auth/errors.ts";
import { emailField, readBody } from "#embedded/auth/fields.ts";
import { findByCode, findByLink, type TokenType } from "#embedded/auth/one-time-tokens.ts";
import { createSession } from "#embedded/auth/sessions.ts";

const typesOf = {
  signup: ["confirmation_token"],
  recovery: ["recovery_token"],
  magiclink: ["recovery_token"],
  email: ["confirmation_token", "recovery_token"],
  email_change: ["email_change_token_current", "email_change_token_new"],
} satisfies Record<string, TokenType[]>;

const type = z.literal(Object.keys(typesOf) as (keyof typeof typesOf)[]);
const bodySchema = z.union([
  z.object({ type, token_hash: z.string() }),
  z.object({ type, email: emailField, token: z.string() }),
]);

/**
 * POST /verify: returns a token response for a mailed link or code, or a message while the other
 * address has not confirmed. Throws AuthError 403 otp_expired.
 */
export async function verify(context: AuthContext, c: AuthRequest): Promise<Response> {
  const body = await readBody(c, bodySchema);
  const types: TokenType[] = typesOf[body.type];
  let replacedEmail: string | undefined;
  const answer = await context.db.begin(async (tx) => {
    const token =
      "token" in body
        ? await findByCode(tx, context, { email: body.email, code: body.token, types })
        : await findByLink(tx, context, body.token_hash, types);
    if (!token) {
      return undefined;
    }
    const signedIn = await findSignedIn(tx, context, c);
    const hasSession = signedIn?.user.id === token.user_id && !lacksFactor(signedIn);
    const redeemed = await redeem(tx, context, token, hasSession);
    if (!redeemed) {
      return halfConfirmed;
    }
    const { user, formerEmail } = redeemed;
    replacedEmail = user.email === formerEmail ? undefined : formerEmail;
    return createSession(tx, context, c, user, "otp");
  });
  if (!answer) {
    const isCode = "token" in body;
    context.log.often("info", "A mailed code or link failed", { kind: isCode ? "code" : "link" });
    const message = isCode
      ? "Token has expired or is invalid"
      : "Email link is invalid or has expired";
    throw new AuthError(403, "otp_expired", message);
  }
  if (replacedEmail !== undefined) {
    context.onAccountChange("email_changed", replacedEmail);
  }
  return c.json(answer);
}

const halfConfirmed = {
  msg: "Confirmation link accepted. Please proceed to confirm link sent to the other email",
  code: "200",
};
