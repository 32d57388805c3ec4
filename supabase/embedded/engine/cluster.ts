import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { clusterFolder, ensureCluster } from "./initdb.ts";
import { findPaths, recordHome } from "./paths.ts";
import { stopStalePostmaster } from "./stale-postmaster.ts";
import { lockDataDir } from "./lock.ts";
import { makeSocketDir, startPostmaster } from "./postmaster.ts";
import type { Postmaster } from "./postmaster.ts";
import { reason } from "./start-error.ts";

export type Cluster = {
  /** Folder of the Unix socket, for postgres.js' `host`. */
  socketDir: string;
  /** Password of `supabase_admin`; nothing but bootstrap uses it. */
  superuserPassword: string;
  stop(): Promise<void>;
};

const RESTART_DELAYS_MS = [100, 500, 1_000, 5_000, 15_000, 30_000];

/**
 * Starts the PostgreSQL of a data folder (its real path), making it at first start, and keeps it running until
 * `stop`: when it dies it is started again, at ever longer intervals up to 30 s. Fails with
 * StartError when the folder is in use or cannot be written, or Postgres does not start.
 */
export async function startCluster(dataDir: string, log: (line: string) => void): Promise<Cluster> {
  const held = new AsyncDisposableStack();
  try {
    held.defer(lockDataDir(dataDir));
    const paths = await findPaths(dataDir);
    if (!paths.home.startsWith(dataDir)) log(`The database is kept in ${paths.home}.`);
    // A copied data folder still names the old place of its database.
    held.defer(lockDataDir(paths.home));
    await ensureCluster(paths);
    await recordHome(dataDir, paths.home);
    const cluster = clusterFolder(paths.home);
    const data = join(cluster, "data");
    await stopStalePostmaster(data);
    const socketDir = await makeSocketDir(paths);
    held.defer(() => rm(socketDir, { recursive: true, force: true }));
    const start = async () => {
      await stopStalePostmaster(data, socketDir);
      return startPostmaster(paths, socketDir);
    };
    const stop = keepRunning(await start(), start, log);
    held.defer(stop);
    return {
      socketDir,
      superuserPassword: await readFile(join(cluster, "superuser-password"), "utf8"),
      stop: () => held.disposeAsync(),
    };
  } catch (error) {
    await held.disposeAsync();
    throw error;
  }
}

function keepRunning(
  first: Postmaster,
  start: () => Promise<Postmaster>,
  log: (line: string) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  let current = first;
  const supervise = async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const since = Date.now();
      await current.exited;
      if (stopping.signal.aborted) return;
      if (Date.now() - since > 60_000) failures = 0;
      const delay = RESTART_DELAYS_MS[Math.min(failures, RESTART_DELAYS_MS.length - 1)];
      failures += 1;
      log("The database server ended by itself and is started again.");
      await sleep(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      await start().then(
        (started) => void (current = started),
        (error: unknown) => log(reason(error)),
      );
    }
  };
  const ended = supervise();
  return async () => {
    stopping.abort();
    await current.stop();
    await ended;
    // A restart may have been under way when the stop came.
    await current.stop();
  };
}
