import { z } from "zod";
import { type AccountMail, mailAccount } from "#embedded/auth/account-mails.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { emailField, readBody } from "#embedded/auth/fields.ts";

const emailSchema = z.object({ email: emailField });
const resendSchema = z.object({ email: emailField, type: z.literal("signup") });

/** POST /recover: returns {} for every address. */
export async function recover(context: AuthContext, c: AuthRequest): Promise<Response> {
  const { email } = await readBody(c, emailSchema);
  return send(context, c, "recovery", email);
}

/** POST /otp: returns {} for every address. Never creates an account. */
export async function otp(context: AuthContext, c: AuthRequest): Promise<Response> {
  const { email } = await readBody(c, emailSchema);
  return send(context, c, "magic_link", email);
}

/** POST /resend of a sign-up's mail: returns {} for every address. */
export async function resend(context: AuthContext, c: AuthRequest): Promise<Response> {
  const { email } = await readBody(c, resendSchema);
  return send(context, c, "confirmation", email);
}

async function send(
  context: AuthContext,
  c: AuthRequest,
  kind: AccountMail,
  email: string,
): Promise<Response> {
  // Throws if the database is down: mails are composed after the response, too late for an error.
  await context.db`select`;
  await context.limits.takeMail(kind, email, c.env.client.address);
  mailAccount(context, kind, email, c.req.query("redirect_to"));
  return c.json({});
}
