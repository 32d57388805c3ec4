import { log } from "#app/lib/log.server.ts";

/** Sweeps a batch of what is old enough. Returns how many rows or files of each kind. */
export type Sweep = () => Promise<Record<string, number>>;

const firstMs = 10_000;
const dailyMs = 23 * 60 * 60 * 1000; // Addresses are kept for two days, because counts last for one at most.
const againMs = 50 * 60 * 1000;

/**
 * Sweeps by age soon and then every 23 hours, or within the hour after a failure.
 * @returns a function that stops it after the current batch
 */
export function startSweeps(sweeps: Record<string, Sweep>): () => Promise<void> {
  const stopping = new AbortController();
  let running = Promise.resolve();
  let timer = setTimeout(run, firstMs).unref();

  function run() {
    running = sweepAndWait();
  }

  async function sweepAndWait(): Promise<void> {
    const isDone = await sweepAll();
    timer = setTimeout(run, isDone ? dailyMs : againMs).unref();
  }

  /** Returns whether nothing failed. */
  async function sweepAll(): Promise<boolean> {
    const total: Record<string, number> = {};
    let isDone = true;
    for (const [name, sweep] of Object.entries(sweeps)) {
      try {
        let isLast = stopping.signal.aborted;
        while (!isLast) {
          const batch = Object.entries(await sweep());
          for (const [kind, count] of batch) {
            total[kind] = (total[kind] ?? 0) + count;
          }
          isLast = stopping.signal.aborted || batch.every(([, count]) => count === 0);
        }
      } catch (error) {
        isDone = false;
        log.error("A daily sweep failed, and is tried again within the hour", {
          sweep: name,
          reason: error instanceof Error ? error.message : "no Error",
        });
      }
    }
    log.info("The daily sweep has moved to the trash or deleted what was kept long enough", total);
    return isDone;
  }

  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await running;
    clearTimeout(timer);
  };
}
