import { setTimeout as sleep } from "node:timers/promises";

const everyMs = 30_000;
/** However many messages come: the database is not asked more often. */
const leastPauseMs = 1_000;

interface Worker {
  wake(): void;
  /** Fulfils when the work that runs has ended. */
  stop(): Promise<void>;
}

/** Runs `work` now, when it is woken, and every half a minute, once at a time. It must not reject. */
export function startWorker(work: () => Promise<void>): Worker {
  const stopping = new AbortController();
  let nap = new AbortController();
  const running = run();

  async function run() {
    const { signal } = stopping;
    while (!signal.aborted) {
      nap = new AbortController();
      await work();
      await rest(leastPauseMs, signal);
      await rest(everyMs, AbortSignal.any([signal, nap.signal]));
    }
  }

  return {
    wake: () => nap.abort(),
    stop() {
      stopping.abort();
      return running;
    },
  };
}

const rest = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
