import { type AuthContext, type AuthRequest, clientAndAccount } from "./context.ts";
import type { Limits } from "./limits.ts";

type Kind = "confirmation" | "recovery" | "email_change" | "magic_link" | "reauthentication";

/** Counts a mail to an address, whether it has an account or not. Throws 429. */
export async function takeMailLimits(
  { limits }: AuthContext,
  c: AuthRequest,
  kind: Kind,
  email: string,
): Promise<void> {
  // Taken first: a client over its own limit must not use up the account's.
  await limits.take("mailFromAddress", clientAndAccount(c, email));
  await limits.take("mailInterval", `${kind} ${email}`);
  await takeMailboxLimits(limits, email);
}

/** Counts a mail to a new address, which may belong to a stranger. Throws 429. */
export async function takeRecipientLimits({ limits }: AuthContext, email: string): Promise<void> {
  await limits.take("mailInterval", `email_change ${email}`);
  await limits.take("mailToStranger", email);
  await takeMailboxLimits(limits, email);
}

/**
 * Counts a mail of any kind to a mailbox. After six in an hour or twenty in a day, mails are sent
 * at intervals: requests of strangers must not block the owner's reset mail for a day.
 */
async function takeMailboxLimits(limits: Limits, email: string): Promise<void> {
  if ((await limits.delay("mailOfDay", email)) > 0) {
    await limits.take("mailAfterDay", email);
  }
  if ((await limits.delay("mail", email)) > 0) {
    await limits.take("mailAfterHour", email);
  }
}
