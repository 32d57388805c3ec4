import { setTimeout as sleep } from "node:timers/promises";

const everyMs = 30_000;
// The shortest time between two runs, even if many messages arrive.
const minPauseMs = 1_000;

interface Worker {
  wake(): void;
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/** Runs `work` now, on `wake` and every 30 s, one run at a time. `work` must not reject. */
export function startWorker(work: () => Promise<void>): Worker {
  const stopping = new AbortController();
  let waking = new AbortController();
  const running = run();

  async function run() {
    const { signal } = stopping;
    while (!signal.aborted) {
      waking = new AbortController();
      await work();
      await pause(minPauseMs, signal);
      await pause(everyMs, AbortSignal.any([signal, waking.signal]));
    }
  }

  return {
    wake: () => waking.abort(),
    stop() {
      stopping.abort();
      return running;
    },
  };
}

const pause = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
