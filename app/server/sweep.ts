import { z } from "zod";
import { log } from "#app/lib/log.server.ts";

// As public.sweep_attempts in supabase/migrations has it.
const batchRows = 1000;

type Call = (name: string) => Promise<unknown>;
type IsStopped = () => boolean;

/** In batches, so that no attempt waits long. */
export async function sweepAttempts(call: Call, isStopped: IsStopped): Promise<void> {
  let deleted = batchRows;
  while (deleted === batchRows && !isStopped()) {
    deleted = z.number().parse(await call("sweep_attempts"));
  }
}

export async function purgeTrash(call: Call, isStopped: IsStopped): Promise<void> {
  let isMore = true;
  while (isMore && !isStopped()) {
    isMore = z.boolean().parse(await call("purge_trash"));
  }
}

export function logSweepFailure(error: unknown): void {
  log.error("The daily sweep of the database failed", {
    reason: error instanceof Error ? error.message : "no Error",
  });
}
