import { readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#embedded/log.ts";
import { startCluster } from "./cluster.ts";
import { reason, EngineError } from "./engine-error.ts";
import { probe } from "./probe.ts";
import type { SuperuserAccess } from "./superuser.ts";

interface OpenPostgres extends SuperuserAccess {
  /** The real path of the data folder. */
  dataDir: string;
  /** Stops PostgreSQL if `openPostgres` started it. */
  close(): Promise<void>;
}

const patience = 30_000;
const probeDeadline = 2_000;

/**
 * Connects a command to the PostgreSQL of a data folder: the running site's, or one started for the
 * command.
 * @throws {EngineError} if there is no database or it does not answer
 */
export async function openPostgres(folder: string, log: Log): Promise<OpenPostgres> {
  const dataDir = await realpath(folder).catch(() => folder);
  const cluster = join(dataDir, "database/cluster");
  await stat(cluster).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT"
      ? new EngineError("empty", `There is no database in ${dataDir} yet.`)
      : new EngineError("unusable", `The folder ${dataDir} cannot be read: ${reason(error)}`);
  });
  // A site that starts has the lock before its PostgreSQL answers, and a command has it until its PostgreSQL
  // has stopped.
  for (const until = Date.now() + patience; Date.now() < until; await sleep(200)) {
    try {
      const { stop, ...access } = await startCluster(dataDir, log);
      return { ...access, dataDir, close: stop };
    } catch (error) {
      if (!(error instanceof EngineError && error.code === "in-use")) {
        throw error;
      }
    }
    const access = await accessRunning(cluster);
    if (access && (await probe(access, probeDeadline)) === undefined) {
      return { ...access, dataDir, close: async () => undefined };
    }
  }
  throw new EngineError("failed", "The database of the running site does not answer.");
}

/** How to connect to the PostgreSQL that another process has started. */
async function accessRunning(cluster: string): Promise<SuperuserAccess | undefined> {
  const file = await readFile(join(cluster, "data/postmaster.pid"), "utf8").catch(() => "");
  // Line 5 of postmaster.pid is the socket folder.
  const socketDir = file.split("\n")[4];
  const superuserPassword = await readFile(join(cluster, "superuser-password"), "utf8");
  return socketDir ? { socketDir, superuserPassword } : undefined;
}
