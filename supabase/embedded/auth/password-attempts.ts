import { setTimeout as sleep } from "node:timers/promises";
import { addressKey } from "#supabase/shared/address.ts";
import { type AuthContext, type AuthRequest, clientAndAccount } from "./context.ts";
import { verifyPassword } from "./passwords.ts";
import type { User } from "./users.ts";

/**
 * Returns whether the password is right. Throws 429 after too many wrong ones from one address.
 * Wrong ones from all addresses only delay the next try: strangers must not lock the owner out.
 */
export async function tryPassword(
  context: AuthContext,
  c: AuthRequest,
  account: { email: string; user: User | undefined },
  password: string,
): Promise<boolean> {
  const { limits } = context;
  const { email, user } = account;
  const fromAddress = clientAndAccount(c, email);
  // Counted before the check, so that parallel tries cannot exceed the limit.
  await limits.take("wrongPasswordFromAddress", fromAddress);
  const delay = await limits.delay("wrongPassword", email);
  if (delay > 0 && !(await isKnownAddress(context, c, user))) {
    await sleep(delay);
  }
  const isRight = await verifyPassword(user?.encrypted_password ?? null, password);
  if (isRight) {
    await limits.refund("wrongPassword", email);
    await limits.refund("wrongPasswordFromAddress", fromAddress);
  }
  return isRight;
}

async function isKnownAddress(
  { db }: AuthContext,
  c: AuthRequest,
  user: User | undefined,
): Promise<boolean> {
  const network = addressKey(c.env.client.address);
  if (!user || network === "unknown") {
    return false;
  }
  const known = await db`
    select from auth.sessions where user_id = ${user.id} and ip <<= ${network}::inet limit 1`;
  return known.length > 0;
}
