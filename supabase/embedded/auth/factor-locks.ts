import type { Sql } from "#embedded/sql.ts";
import type { AuthContext } from "./context.ts";
import { retryAfter } from "./errors.ts";

const firstLockingCode = 15;
const firstWaitSeconds = 60;
const maxDoublings = 11;
const maxWaitSeconds = 86_400;

/** Throws 429 over_request_rate_limit while the user's factors are locked. */
export async function requireUnlocked(
  tx: Sql,
  { now }: AuthContext,
  userId: string,
): Promise<void> {
  const [lock] = await tx<{ locked_until: Date | null }>`
    select locked_until from auth.factor_locks where user_id = ${userId}`;
  const seconds = Math.ceil(((lock?.locked_until?.getTime() ?? 0) - now()) / 1000);
  if (seconds > 0) {
    throw retryAfter("over_request_rate_limit", seconds);
  }
}

/** Counts a wrong code; the user's row must be locked. Returns whether it locks the factors. */
export async function countWrongCode(
  tx: Sql,
  { now }: AuthContext,
  userId: string,
): Promise<boolean> {
  const [lock] = await tx<{ wrong_codes: number }>`
    insert into auth.factor_locks as known (user_id, wrong_codes) values (${userId}, 1)
    on conflict (user_id) do update set wrong_codes = known.wrong_codes + 1
    returning wrong_codes`;
  const excess = (lock?.wrong_codes ?? 0) - firstLockingCode;
  if (excess < 0) {
    return false;
  }
  const seconds = Math.min(firstWaitSeconds * 2 ** Math.min(excess, maxDoublings), maxWaitSeconds);
  await tx`
    update auth.factor_locks set locked_until = ${new Date(now() + seconds * 1000)}
    where user_id = ${userId}`;
  return true;
}

export async function resetWrongCodes(tx: Sql, userId: string): Promise<void> {
  await tx`delete from auth.factor_locks where user_id = ${userId}`;
}
