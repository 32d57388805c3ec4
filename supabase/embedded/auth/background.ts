import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#embedded/log.ts";
import { errorName } from "./errors.ts";

export interface Background {
  /**
   * Does the work after the response, whose time would otherwise reveal whether an account exists.
   */
  run(work: () => Promise<void>): void;
  /** Waits at most three seconds for work that is not done yet. */
  close(): Promise<void>;
}

const closeTimeoutMs = 3_000;

/** Returns the queue in which mails are made. A failure is logged without its text. */
export function createBackground(log: Log): Background {
  const pending = new Set<Promise<void>>();
  return {
    run(work) {
      const running = work()
        .catch((error: unknown) =>
          log.error("auth: a mail could not be made", { error: errorName(error) }),
        )
        .finally(() => pending.delete(running));
      pending.add(running);
    },
    async close() {
      await Promise.race([Promise.all(pending), sleep(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
}
