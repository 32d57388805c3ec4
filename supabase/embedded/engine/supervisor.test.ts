import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { silentLog } from "#embedded/tests/support/log.ts";
import { useFolder } from "#embedded/tests/support/use-folder.ts";
import { postgresLog } from "./postgres-log.ts";
import { supervise } from "./supervisor.ts";

const folder = useFolder();

/** Supervises a server that answers these probes. Returns how often it was started again. */
async function restartsAfter(faults: (string | undefined)[]): Promise<number> {
  const isOver = Promise.withResolvers<void>();
  let starts = 0;
  const start = async () => {
    starts += 1;
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    return { ended, isStopping: async () => false, stop: async () => resolve("stopped") };
  };
  const stop = supervise(await start(), {
    start,
    async probe() {
      if (faults.length === 0) {
        isOver.resolve();
      }
      return faults.shift();
    },
    postgresLog: postgresLog(join(folder.path, "postgres.log")),
    log: silentLog,
    patience: { interval: 1, deadline: 1_000 },
  });
  await isOver.promise;
  await stop();
  return starts - 1;
}

test("three slow probes in a row start PostgreSQL again, and far apart they do not", async () => {
  const slow = "timeout expired";
  expect(await restartsAfter([slow, slow, slow])).toBe(1);
  expect(await restartsAfter([slow, undefined, slow, slow, undefined, undefined, slow])).toBe(0);
});

test("a server that ran for a minute is started again at once, however often it ended before", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const isOver = Promise.withResolvers<void>();
  let starts = 0;
  const start = async () => {
    starts += 1;
    if (starts === 5) {
      isOver.resolve();
    }
    const ended = sleep(1).then(() => vi.setSystemTime(Date.now() + 61_000) && "exit code 1");
    return { ended, isStopping: async () => false, stop: async () => undefined };
  };
  const begin = performance.now();
  const stop = supervise(await start(), {
    start,
    probe: async () => undefined,
    postgresLog: postgresLog(join(folder.path, "postgres.log")),
    log: silentLog,
    patience: { interval: 60_000, deadline: 1_000 },
  });
  await isOver.promise;
  // Otherwise the fourth pause alone is five seconds.
  expect(performance.now() - begin).toBeLessThan(5_000);
  await stop();
});
