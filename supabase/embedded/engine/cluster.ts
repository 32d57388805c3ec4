import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "#embedded/log.ts";
import { postgresMajor } from "./binaries.ts";
import { EngineError } from "./engine-error.ts";
import { ensureCluster } from "./initdb.ts";
import { lockDataDir } from "./lock.ts";
import { findPaths, refuseUnfinishedRestore } from "./paths.ts";
import { postgresLog } from "./postgres-log.ts";
import { type Postmaster, startPostmaster } from "./postmaster.ts";
import { probe } from "./probe.ts";
import { createSocketFolder, removeSocketFolder, restoreSocketFolder } from "./socket-folder.ts";
import { stopStalePostmaster } from "./stale-postmaster.ts";
import type { SuperuserAccess } from "./superuser.ts";
import { patience, supervise } from "./supervisor.ts";

export interface Cluster extends SuperuserAccess {
  answers(): Promise<boolean>;
  stop: Postmaster["stop"];
}

const answerDeadline = 1_000;

/**
 * Starts the PostgreSQL of a data folder and keeps it running. Throws EngineError if it cannot.
 * @param asked how often and how long the running server is asked for an answer
 */
export async function startCluster(dataDir: string, log: Log, asked = patience): Promise<Cluster> {
  const held = new AsyncDisposableStack();
  try {
    held.defer(lockDataDir(dataDir));
    await refuseUnfinishedRestore(dataDir);
    const paths = await findPaths(dataDir, log);
    await ensureCluster(paths);
    const data = join(paths.cluster, "data");
    await refuseOtherMajor(data);
    await stopStalePostmaster(data);
    const socketDir = await createSocketFolder(paths.user);
    held.defer(() => removeSocketFolder(socketDir));
    const logFile = postgresLog(paths.log);
    const superuserPassword = await readFile(join(paths.cluster, "superuser-password"), "utf8");
    const access = { socketDir, superuserPassword };
    const start = async (): Promise<Postmaster> => {
      await stopStalePostmaster(data);
      await restoreSocketFolder(socketDir, paths.user);
      try {
        return await startPostmaster(paths, socketDir, logFile);
      } catch (error) {
        // A killed site may have started a postmaster just before, which has locked the folder in the
        // meantime.
        if (await stopStalePostmaster(data)) {
          return startPostmaster(paths, socketDir, logFile);
        }
        throw error;
      }
    };
    const stop = supervise(await start(), {
      start,
      probe: (deadline) => probe(access, deadline),
      postgresLog: logFile,
      log,
      patience: asked,
    });
    held.defer(stop);
    return {
      ...access,
      answers: shareWhilePending(async () => (await probe(access, answerDeadline)) === undefined),
      stop: () => held.disposeAsync(),
    };
  } catch (error) {
    await held.disposeAsync();
    throw error;
  }
}

/** PostgreSQL reads only files of its own major version. Throws EngineError for others. */
async function refuseOtherMajor(data: string): Promise<void> {
  const theirs = Number(await readFile(join(data, "PG_VERSION"), "utf8"));
  const ours = await postgresMajor();
  if (theirs !== ours) {
    throw new EngineError(
      "other-postgres",
      `The database in ${data} is of PostgreSQL ${theirs}, not ${ours}.`,
    );
  }
}

/** Shares one pending call, so that concurrent callers cannot exhaust the connections. */
function shareWhilePending<T>(ask: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () =>
    (pending ??= ask().finally(() => {
      pending = undefined;
    }));
}
