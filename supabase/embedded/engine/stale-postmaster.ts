import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineError } from "./engine-error.ts";
import { findPostgres, isAlive, type PostgresProcesses, signalAll } from "./processes.ts";

interface Step {
  signal: NodeJS.Signals;
  to: keyof PostgresProcesses;
  patience: number;
}

const steps: Step[] = [
  { signal: "SIGINT", to: "roots", patience: 10_000 },
  { signal: "SIGQUIT", to: "roots", patience: 5_000 },
  { signal: "SIGKILL", to: "all", patience: 5_000 },
];

/**
 * Ends the PostgreSQL that a killed site has left. Returns false if there is none. Throws EngineError.
 */
export async function stopStalePostmaster(data: string): Promise<boolean> {
  await removeMisleadingPid(data);
  if ((await findPostgres(data)).all.length === 0) {
    return false;
  }
  for (const { signal, to, patience } of steps) {
    signalAll((await findPostgres(data))[to], signal);
    for (const until = Date.now() + patience; Date.now() < until; await sleep(50)) {
      if ((await findPostgres(data)).all.length === 0) {
        return true;
      }
    }
  }
  const { all } = await findPostgres(data);
  throw new EngineError(
    "failed",
    `A database server of an earlier start (process ${all[0]}) does not stop.`,
  );
}

/** PostgreSQL mistakes an unrelated process with the pid of a dead server for a running server. */
async function removeMisleadingPid(data: string): Promise<void> {
  const file = join(data, "postmaster.pid");
  const pid = Number.parseInt(await readFile(file, "utf8").catch(() => ""), 10);
  if (pid > 1 && isAlive(pid) && !(await findPostgres(data)).all.includes(pid)) {
    await rm(file, { force: true });
  }
}
