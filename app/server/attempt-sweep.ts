const firstAfter = 10_000;
const interval = 24 * 60 * 60 * 1000;
// As public.sweep_attempts in supabase/migrations has it.
const batchRows = 1000;

/**
 * Deletes expired counts of attempts soon after the start and then once a day, in batches so
 * that no attempt waits long.
 * @param deleteBatch deletes one batch and returns how many counts it had
 * @returns stops it, after the batch that is being deleted
 */
export function sweepAttempts(deleteBatch: () => Promise<number>): () => Promise<void> {
  const closing = new AbortController();
  let running = Promise.resolve();
  let timer = setTimeout(run, firstAfter).unref();

  function run() {
    timer = setTimeout(run, interval).unref();
    running = sweep().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : "no Error";
      console.error(`Expired counts of attempts were not deleted: ${reason}`);
    });
  }

  async function sweep() {
    let deleted = batchRows;
    while (deleted === batchRows && !closing.signal.aborted) {
      deleted = await deleteBatch();
    }
  }

  return () => {
    closing.abort();
    clearTimeout(timer);
    return running;
  };
}
