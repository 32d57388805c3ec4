import type { TransactionSql } from "postgres";
import type { AuthContext } from "./context.ts";
import { mustWait } from "./errors.ts";

const freeTries = 15;
const firstWaitSeconds = 60;
const doublings = 11;
const longestWaitSeconds = 86_400;

/** Throws 429 over_request_rate_limit while the user's factors are locked. */
export async function requireUnlocked(
  tx: TransactionSql,
  { now }: AuthContext,
  userId: string,
): Promise<void> {
  const [lock] = await tx<{ locked_until: Date | null }[]>`
    select locked_until from auth.factor_locks where user_id = ${userId}`;
  const seconds = Math.ceil(((lock?.locked_until?.getTime() ?? 0) - now()) / 1000);
  if (seconds > 0) {
    throw mustWait("over_request_rate_limit", seconds);
  }
}

/** Counts a wrong code of a locked user row. Returns whether it locks the user's factors. */
export async function countWrongCode(
  tx: TransactionSql,
  { now }: AuthContext,
  userId: string,
): Promise<boolean> {
  const [lock] = await tx<{ wrong_codes: number }[]>`
    insert into auth.factor_locks as known (user_id, wrong_codes) values (${userId}, 1)
    on conflict (user_id) do update set wrong_codes = known.wrong_codes + 1
    returning wrong_codes`;
  const excess = (lock?.wrong_codes ?? 0) - freeTries;
  if (excess < 0) {
    return false;
  }
  const seconds = Math.min(firstWaitSeconds * 2 ** Math.min(excess, doublings), longestWaitSeconds);
  await tx`
    update auth.factor_locks set locked_until = ${new Date(now() + seconds * 1000)}
    where user_id = ${userId}`;
  return true;
}

/** After a right code. */
export async function forgetWrongCodes(tx: TransactionSql, userId: string): Promise<void> {
  await tx`delete from auth.factor_locks where user_id = ${userId}`;
}
