import { type AuthContext, type AuthRequest, clientAndAccount } from "./context.ts";

type Kind = "confirmation" | "recovery" | "email_change" | "magic_link" | "reauthentication";

/** Counts a mail to an address, whether it has an account or not. Throws 429. */
export async function takeMailLimits(
  { limits }: AuthContext,
  c: AuthRequest,
  kind: Kind,
  email: string,
): Promise<void> {
  // First: a client that has had its share must not use up the account's.
  await limits.take("mailFromAddress", clientAndAccount(c, email));
  await limits.take("mailInterval", `${kind} ${email}`);
  await limits.take("mail", email);
}

/** Counts a mail to the new address of an account, whose reader did not ask for it. Throws 429. */
export async function takeRecipientLimits({ limits }: AuthContext, email: string): Promise<void> {
  await limits.take("mailInterval", `email_change ${email}`);
  await limits.take("mailToStranger", email);
  await limits.take("mail", email);
}
