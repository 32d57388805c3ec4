import { z } from "zod";
import { log } from "#app/lib/log.server.ts";

// Same as in public.sweep_attempts (supabase/migrations).
const batchRows = 1000;

export type Call = (name: string) => Promise<unknown>;
type IsStopped = () => boolean;
export type Sweep = (call: Call, isStopped: IsStopped) => Promise<void>;

/** Deletes expired counts of attempts, in batches that block attempts only briefly. */
export const sweepAttempts: Sweep = async (call, isStopped) => {
  let deleted = batchRows;
  while (deleted === batchRows && !isStopped()) {
    deleted = z.number().parse(await call("sweep_attempts"));
  }
};

/** Calls a database function until it returns false: nothing left. */
function untilDone(name: string): Sweep {
  return async (call, isStopped) => {
    let isMore = true;
    while (isMore && !isStopped()) {
      isMore = z.boolean().parse(await call(name));
    }
  };
}

/** Sweeps that also run on a hosted Supabase. */
export const dueSweeps = [untilDone("sweep_messages"), untilDone("sweep_changes")];

/** Only here: accounts of a hosted Supabase may belong to other sites too. */
export const sweepAccounts = untilDone("sweep_accounts");

export function logSweepFailure(error: unknown): void {
  log.error("The daily sweep of the database failed", {
    reason: error instanceof Error ? error.message : "no Error",
  });
}
