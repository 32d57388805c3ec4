import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chown, constants, mkdtemp, open, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { canEnter } from "./system-user.ts";
import { clusterFolder } from "./initdb.ts";
import type { Paths } from "./paths.ts";
import { SETTINGS } from "./settings.ts";
import { reason, StartError } from "./start-error.ts";

/** Socket file name's number; each site has a socket folder of its own. */
export const PORT = 5432;
/** Longest recovery after a crash that a start waits for. */
const START_PATIENCE_MS = 120_000;
const SOCKET_PATH_LIMIT = 103;

export type Postmaster = { exited: Promise<void>; stop(): Promise<void> };

/**
 * A private folder for the socket, in the system's folder for temporary files because the path
 * of a socket may have 103 bytes on macOS and 107 on Linux, which a deep clone exceeds.
 */
export async function makeSocketDir(paths: Paths): Promise<string> {
  const base = [tmpdir(), "/tmp"].find(
    (folder) => hasRoomForSocket(folder) && canEnter(paths.user, folder),
  );
  if (!base) throw new StartError("No folder for temporary files has room for a socket.");
  try {
    const folder = await mkdtemp(join(base, "tawasul-"));
    await chown(folder, paths.user.uid, paths.user.gid);
    return folder;
  } catch (error) {
    throw new StartError(`No socket folder could be made in ${base}: ${reason(error)}`);
  }
}

function hasRoomForSocket(folder: string): boolean {
  return Buffer.byteLength(`${folder}/tawasul-XXXXXX/.s.PGSQL.${PORT}`) <= SOCKET_PATH_LIMIT;
}

/**
 * Starts Postgres and waits until it accepts connections, also through a crash recovery. Fails
 * with StartError when it ends first or is not ready in two minutes; it is then stopped.
 */
export async function startPostmaster(paths: Paths, socketDir: string): Promise<Postmaster> {
  const data = join(clusterFolder(paths.home), "data");
  const logPath = join(clusterFolder(paths.home), "postgres.log");
  const { child, ended } = await spawnPostgres(paths, data, socketDir, logPath);
  const watchdog = spawnWatchdog(paths, child);
  const exited = ended.then(() => void watchdog.kill("SIGKILL"));
  const stop = async () => {
    child.kill("SIGINT");
    await exited;
  };
  const ready = await Promise.race([exited.then(() => "exited"), waitUntilReady(data, child)]);
  if (ready === "ready") return { exited, stop };
  await stop();
  const log = await readFile(logPath, "utf8").catch(() => "");
  throw new StartError(`The database did not start (${ready}): ${log.trim().split("\n").at(-1)}`);
}

async function spawnPostgres(paths: Paths, data: string, socketDir: string, logPath: string) {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // Root may open this in a folder of Postgres' account, so never through a link.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const log = await open(logPath, flags, 0o600);
  try {
    const child = spawn(
      join(paths.binaries, "bin/postgres"),
      ["-D", data, "-k", socketDir, "-p", String(PORT), ...settings],
      {
        ...paths.user,
        cwd: paths.home,
        env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
        // Its own process group: Ctrl-C reaches the site, which then stops Postgres in order.
        detached: true,
        stdio: ["ignore", log.fd, log.fd],
      },
    );
    // Listened for at once: it may end while the log is being closed.
    const ended = new Promise<void>((resolve) => {
      child.once("error", () => resolve());
      child.once("exit", () => resolve());
    });
    return { child, ended };
  } finally {
    await log.close();
  }
}

/**
 * A shell that waits for the end of its input, which comes when this process dies in whatever
 * way, and then stops Postgres. Correctness does not hang on it (see stale-postmaster.ts).
 */
function spawnWatchdog(paths: Paths, postgres: ChildProcess): ChildProcess {
  const watchdog = spawn("/bin/sh", ["-c", 'read -r _; kill -INT "$0"', String(postgres.pid)], {
    ...paths.user,
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchdog.unref();
  watchdog.on("error", () => undefined);
  return watchdog;
}

/** The eighth line of postmaster.pid is the server's state, the same that pg_ctl waits for. */
async function waitUntilReady(data: string, child: ChildProcess): Promise<string> {
  const until = Date.now() + START_PATIENCE_MS;
  const runs = () => child.exitCode === null && child.signalCode === null;
  while (Date.now() < until && runs()) {
    const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
    const lines = text.split("\n");
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === "ready") return "ready";
    await sleep(15);
  }
  return runs() ? "not ready in two minutes" : "ended at once";
}
