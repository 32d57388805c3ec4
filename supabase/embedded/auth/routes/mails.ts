import { z } from "zod";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { emailField, readBody } from "#embedded/auth/fields.ts";
import { type TokenMail, mailToken } from "#embedded/auth/token-mails.ts";

const bodySchema = z.object({ email: emailField });

/** POST /recover, /otp and /resend: returns {} for every address. Never creates an account. */
export const requestMail =
  (kind: TokenMail) =>
  async (context: AuthContext, c: AuthRequest): Promise<Response> => {
    const { email } = await readBody(c, bodySchema);
    // This throws if the database does not answer. The mail is made after the response, which is too late for
    // an error.
    await context.limits.requestMail(kind, email);
    mailToken(context, kind, email, c.req.query("redirect_to"));
    return c.json({});
  };
