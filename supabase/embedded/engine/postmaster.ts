import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineError } from "./engine-error.ts";
import { parameters } from "./parameters.ts";
import { dataArgument, type Paths, postgresEnvironment } from "./paths.ts";
import type { PostgresLog } from "./postgres-log.ts";
import { findPostgres, signalAll } from "./processes.ts";
import { port } from "./socket-folder.ts";

export interface Postmaster {
  /** Resolves to the reason: `signal SIGKILL`, `exit code 1`. */
  ended: Promise<string>;
  isStopping(): Promise<boolean>;
  /** Stops PostgreSQL cleanly, or kills it after a timeout. Committed data is safe either way. */
  stop(): Promise<void>;
}

const startPatience = 120_000;
// The site waits longer than this when it stops.
const stopTimeout = 8_000;

/** Resolves when PostgreSQL accepts connections. Rejects with EngineError if it ends or is late. */
export async function startPostmaster(
  paths: Paths,
  socketFolder: string,
  log: PostgresLog,
): Promise<Postmaster> {
  const data = join(paths.cluster, "data");
  const { child, ended } = await spawnPostgres(paths, data, socketFolder, log);
  const watchdog = spawnWatchdog(paths, child);
  void ended.then(() => watchdog.kill("SIGKILL"));
  const stop = async () => {
    child.kill("SIGINT");
    const inTime = sleep(stopTimeout, false, { ref: false });
    if (child.pid && (await Promise.race([ended, inTime])) === false) {
      signalAll((await findPostgres(data)).all, "SIGKILL");
    }
    await ended;
  };
  const isReady = await Promise.race([ended.then(() => false), waitUntilReady(data, child)]);
  if (isReady) {
    return { ended, stop, isStopping: async () => (await readStatus(data, child)) === "stopping" };
  }
  const isRunning = child.exitCode === null && child.signalCode === null && child.pid;
  const reason = isRunning ? "not ready in two minutes" : await ended;
  await stop();
  throw new EngineError(
    "failed",
    `The database did not start (${reason}): ${(await log.tail(1)).join("")}`,
  );
}

async function spawnPostgres(paths: Paths, data: string, socketFolder: string, log: PostgresLog) {
  const options = Object.entries(parameters).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const file = await log.open();
  try {
    const child = spawn(
      join(paths.binaries, "bin/postgres"),
      ["-D", dataArgument(data), "-k", socketFolder, "-p", String(port), ...options],
      {
        ...paths.user,
        cwd: data,
        env: postgresEnvironment,
        // A process group of its own: Ctrl-C must not reach it before the site stops it.
        detached: true,
        stdio: ["ignore", file.fd, file.fd],
      },
    );
    // Created before the await below, because the process may end during it.
    const ended = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("exit", (code, signal) =>
        resolve(signal ? `signal ${signal}` : `exit code ${code}`),
      );
    });
    return { child, ended };
  } finally {
    await file.close();
  }
}

/** Spawns a shell that stops PostgreSQL when this process dies, which ends the shell's input. */
function spawnWatchdog(paths: Paths, postgres: ChildProcess): ChildProcess {
  const watchdog = spawn("/bin/sh", ["-c", 'read -r _; kill -INT "$0"', String(postgres.pid)], {
    ...paths.user,
    cwd: "/",
    env: postgresEnvironment,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchdog.unref();
  watchdog.on("error", () => undefined);
  return watchdog;
}

async function waitUntilReady(data: string, child: ChildProcess): Promise<boolean> {
  const until = Date.now() + startPatience;
  while (Date.now() < until && child.exitCode === null && child.signalCode === null) {
    if ((await readStatus(data, child)) === "ready") {
      return true;
    }
    await sleep(15);
  }
  return false;
}

/** Reads line 8 of postmaster.pid, the server's status. pg_ctl waits for the same line. */
async function readStatus(data: string, child: ChildProcess): Promise<string | undefined> {
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
  const lines = text.split("\n");
  return Number(lines[0]) === child.pid ? lines[7]?.trim() : undefined;
}
