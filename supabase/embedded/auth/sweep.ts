import { part, rawPart } from "#embedded/sql-text.ts";
import { mailedTokenSeconds, sessionIdleSeconds } from "./constants.ts";
import type { AuthContext } from "./context.ts";

const daySeconds = 86_400;
/** The most rows of each table, so that the statement ends before its timeout. */
const mostRows = 100_000;

/** Deletes up to 100,000 expired rows of each table. Returns how many. */
export async function sweep({ db, now }: Pick<AuthContext, "db" | "now">): Promise<number> {
  const ago = (seconds: number) => new Date(now() - seconds * 1000);
  const dayAgo = ago(daySeconds);
  const expired = {
    // The active token's parent stays, for a client that lost the response to its refresh.
    refresh_tokens: part`revoked and updated_at < ${dayAgo} and not exists (
      select from auth.refresh_tokens active where active.session_id = row.session_id
        and not active.revoked and active.parent = row.token)`,
    sessions: part`
      coalesce(refreshed_at at time zone 'utc', created_at) < ${ago(sessionIdleSeconds)}`,
    mfa_challenges: part`created_at < ${dayAgo}`,
    mfa_factors: part`status = 'unverified' and created_at < ${dayAgo}`,
    one_time_tokens: part`updated_at < ${ago(mailedTokenSeconds + daySeconds)}`,
  };
  let deleted = 0;
  for (const [name, condition] of Object.entries(expired)) {
    const table = rawPart(`auth.${name}`);
    // Locked rows are skipped, so that requests and the sweep do not wait for each other.
    const { count } = await db`
      delete from ${table} where id in (
        select id from ${table} row where ${condition} limit ${mostRows} for update skip locked)`;
    deleted += count;
  }
  return deleted;
}
