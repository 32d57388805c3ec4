import { runDaily } from "#embedded/daily.ts";
import { part, rawPart } from "#embedded/sql-text.ts";
import type { AuthContext } from "./context.ts";
import { errorName } from "./errors.ts";
import { mailedTokenSeconds, sessionIdleSeconds } from "./settings.ts";

const daySeconds = 86_400;
const batchRows = 500;
const maxBatches = 200;

/** Deletes expired rows daily. Returns a function that stops it after the current batch. */
export function startSweeper(context: AuthContext): () => Promise<void> {
  return runDaily(
    (isStopped) => sweep(context, isStopped),
    (error) => context.log.error("auth: sweeping failed", { error: errorName(error) }),
  );
}

async function sweep({ db, now }: AuthContext, isStopped: () => boolean): Promise<void> {
  const ago = (seconds: number) => new Date(now() - seconds * 1000);
  const dayAgo = ago(daySeconds);
  const expired = {
    // The active token's parent stays, for a client that lost the response to its refresh.
    refresh_tokens: part`revoked and updated_at < ${dayAgo} and not exists (
      select from auth.refresh_tokens active where active.session_id = row.session_id
        and not active.revoked and active.parent = row.token)`,
    sessions: part`not_after < ${dayAgo}
      or coalesce(refreshed_at at time zone 'utc', created_at) < ${ago(sessionIdleSeconds)}`,
    mfa_challenges: part`created_at < ${dayAgo}`,
    mfa_factors: part`status = 'unverified' and created_at < ${dayAgo}`,
    one_time_tokens: part`created_at < ${ago(mailedTokenSeconds + daySeconds)}`,
  };
  for (const [name, condition] of Object.entries(expired)) {
    const table = rawPart(`auth.${name}`);
    for (let batch = 0; batch < maxBatches && !isStopped(); batch += 1) {
      // Small batches and skipped locks: requests and the sweeper do not wait for each other.
      const { count } = await db`
        delete from ${table} where id in (
          select id from ${table} row where ${condition} limit ${batchRows} for update skip locked)`;
      if (count < batchRows) {
        break;
      }
    }
  }
}
