import { z } from "zod";
import { log } from "#app/lib/log.server.ts";

export type Call = (name: string) => Promise<unknown>;
type IsStopped = () => boolean;
export type Sweep = (call: Call, isStopped: IsStopped) => Promise<void>;

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
export const dueSweeps = ["sweep_attempts", "sweep_messages", "sweep_changes"].map(untilDone);

/** Only here: accounts of a hosted Supabase may belong to other sites too. */
export const sweepAccounts = untilDone("sweep_accounts");

export function logSweepFailure(error: unknown): void {
  log.error("The daily sweep of the database failed", {
    reason: error instanceof Error ? error.message : "no Error",
  });
}
