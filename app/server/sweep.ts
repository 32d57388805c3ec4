import { z } from "zod";
import { log } from "#app/lib/log.server.ts";

// As public.sweep_attempts in supabase/migrations has it.
const batchRows = 1000;

export type Call = (name: string) => Promise<unknown>;
type IsStopped = () => boolean;
export type Sweep = (call: Call, isStopped: IsStopped) => Promise<void>;

/** In batches, so that no attempt waits long. */
export const sweepAttempts: Sweep = async (call, isStopped) => {
  let deleted = batchRows;
  while (deleted === batchRows && !isStopped()) {
    deleted = z.number().parse(await call("sweep_attempts"));
  }
};

/** By a function of the database that says if there may be more. */
function untilDone(name: string): Sweep {
  return async (call, isStopped) => {
    let isMore = true;
    while (isMore && !isStopped()) {
      isMore = z.boolean().parse(await call(name));
    }
  };
}

/** What a hosted Supabase is asked for as well. */
export const dueSweeps = [untilDone("purge_trash"), untilDone("sweep_changes")];

export function logSweepFailure(error: unknown): void {
  log.error("The daily sweep of the database failed", {
    reason: error instanceof Error ? error.message : "no Error",
  });
}
