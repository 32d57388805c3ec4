import { readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#embedded/log.ts";
import { startCluster } from "./cluster.ts";
import { LockedError } from "./lock.ts";
import { probe } from "./probe.ts";
import { reason, StartError } from "./start-error.ts";
import type { SuperuserAccess } from "./superuser.ts";

export interface OpenPostgres extends SuperuserAccess {
  /** Its real path. */
  dataDir: string;
  /** Stops PostgreSQL unless a site runs on it. */
  close(): Promise<void>;
}

const patience = 30_000;
const probeDeadline = 2_000;

/**
 * Reaches the PostgreSQL of a data folder for a command: that of the running site, or one that is
 * started for as long as the command needs it.
 * @throws {StartError} if there is no database, or it does not answer
 */
export async function openPostgres(folder: string, log: Log): Promise<OpenPostgres> {
  const dataDir = await realpath(folder).catch(() => folder);
  const cluster = join(dataDir, "database/cluster");
  await stat(cluster).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(
      error.code === "ENOENT"
        ? `There is no database in ${dataDir} yet.`
        : `The data folder ${dataDir} cannot be read: ${reason(error)}`,
    );
  });
  try {
    const { stop, ...access } = await startCluster(dataDir, log);
    return { ...access, dataDir, close: stop };
  } catch (error) {
    if (!(error instanceof LockedError)) {
      throw error;
    }
  }
  return { ...(await findRunning(cluster)), dataDir, close: async () => undefined };
}

/** A site that has just started holds the lock before its PostgreSQL answers. */
async function findRunning(cluster: string): Promise<SuperuserAccess> {
  const superuserPassword = await readFile(join(cluster, "superuser-password"), "utf8");
  for (const until = Date.now() + patience; Date.now() < until; await sleep(200)) {
    const file = await readFile(join(cluster, "data/postmaster.pid"), "utf8").catch(() => "");
    // Its fifth line is the folder of the socket.
    const socketDir = file.split("\n")[4];
    if (socketDir) {
      const access = { socketDir, superuserPassword };
      if ((await probe(access, probeDeadline)) === undefined) {
        return access;
      }
    }
  }
  throw new StartError("The database of the running site does not answer.");
}
