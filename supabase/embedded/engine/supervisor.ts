import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#embedded/log.ts";
import { reason } from "./engine-error.ts";
import type { PostgresLog } from "./postgres-log.ts";
import type { Postmaster } from "./postmaster.ts";
import { cannotConnectNow } from "./probe.ts";

const restartDelays = [100, 500, 1_000, 5_000, 15_000, 30_000];
/** How often, and for how long, the server is asked for an answer, in milliseconds. */
export const patience = { interval: 2_000, deadline: 5_000 };
/** So many probes in a row must fail before a restart, and so many during crash recovery. */
const maxFailures = 3;
const maxRecoveryFailures = 60;

interface Supervision {
  start(): Promise<Postmaster>;
  probe(deadline: number): Promise<string | undefined>;
  postgresLog: PostgresLog;
  log: Log;
  patience: typeof patience;
}

/**
 * Restarts PostgreSQL when it ends or stops answering. Returns the function that stops the one that runs
 * then.
 */
export function supervise(first: Postmaster, supervision: Supervision): Postmaster["stop"] {
  const { start, postgresLog, log } = supervision;
  const stopping = new AbortController();
  let current = first;

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; failures += 1) {
      const since = Date.now();
      const fault = await Promise.race([
        current.ended.then((how) => `ended (${how})`),
        untilUnreachable(current, supervision, stopping.signal),
      ]);
      if (stopping.signal.aborted) {
        return;
      }
      const lines = await postgresLog.tail(3);
      log.error(`The database ${fault} and is started again.`, { said: lines.join(" | ") });
      await current.stop();
      if (Date.now() - since > 60_000) {
        failures = 0;
      }
      const delay = restartDelays[Math.min(failures, restartDelays.length - 1)];
      await sleep(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) {
        return;
      }
      try {
        current = await start();
        log.info("The database is ready again");
      } catch (error) {
        log.error(reason(error));
      }
    }
  }

  const ended = run();
  return async () => {
    stopping.abort();
    await current.stop();
    await ended;
    // A restart that was in progress may have replaced it.
    await current.stop();
  };
}

/** Resolves to the fault after too many failed probes. */
async function untilUnreachable(
  server: Postmaster,
  { probe, patience: { interval, deadline } }: Supervision,
  stop: AbortSignal,
): Promise<string> {
  const over = new AbortController();
  void server.ended.then(() => over.abort());
  const either = AbortSignal.any([stop, over.signal]);
  let failures = 0;
  while (!either.aborted) {
    await sleep(interval, undefined, { signal: either, ref: false }).catch(() => undefined);
    if (either.aborted) {
      break;
    }
    const fault = await probe(deadline);
    failures = fault === undefined ? 0 : failures + 1;
    const isRecovering = fault === cannotConnectNow && !(await server.isStopping());
    if (failures >= (isRecovering ? maxRecoveryFailures : maxFailures)) {
      return `accepts no connections (${fault})`;
    }
  }
  return new Promise(() => undefined);
}
