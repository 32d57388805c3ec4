import type { AuthContext } from "./context.ts";
import { errorName } from "./errors.ts";
import { sessionIdleSeconds } from "./sessions.ts";

const firstAfter = 10_000;
const interval = 24 * 60 * 60 * 1000;
const daySeconds = 86_400;
const batchRows = 500;
const batches = 200;

export interface Sweeper {
  /** Stops it, and waits for a batch that is being deleted. */
  close(): Promise<void>;
}

/** Deletes expired rows soon after the start and then once a day. */
export function startSweeper(context: AuthContext): Sweeper {
  let isClosed = false;
  let running = Promise.resolve();
  let timer = setTimeout(run, firstAfter).unref();

  function run() {
    timer = setTimeout(run, interval).unref();
    running = sweep(context, () => isClosed).catch((error: unknown) => {
      context.log(`auth: sweeping failed: ${errorName(error)}`);
    });
  }

  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      return running;
    },
  };
}

async function sweep({ db, now, settings }: AuthContext, isClosed: () => boolean): Promise<void> {
  const ago = (seconds: number) => new Date(now() - seconds * 1000);
  const dayAgo = ago(daySeconds);
  const useless = {
    // The last one stays for a client that lost the answer to its refresh.
    refresh_tokens: db`revoked and updated_at < ${dayAgo} and not exists (
      select from auth.refresh_tokens active where active.session_id = row.session_id
        and not active.revoked and active.parent = row.token)`,
    sessions: db`not_after < ${dayAgo}
      or coalesce(refreshed_at at time zone 'utc', created_at) < ${ago(sessionIdleSeconds)}`,
    flow_state: db`created_at < ${dayAgo}`,
    mfa_challenges: db`created_at < ${dayAgo}`,
    mfa_factors: db`status = 'unverified' and created_at < ${dayAgo}`,
    one_time_tokens: db`created_at < ${ago(settings.otpExpirySeconds + daySeconds)}`,
  };
  for (const [name, condition] of Object.entries(useless)) {
    const table = db(`auth.${name}`);
    for (let batch = 0; batch < batches && !isClosed(); batch += 1) {
      // Requests do not wait for this, nor this for them.
      const { count } = await db`
        delete from ${table} where id in (
          select id from ${table} row where ${condition} limit ${batchRows} for update skip locked)`;
      if (count < batchRows) {
        break;
      }
    }
  }
}
