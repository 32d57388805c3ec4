import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ClientConfig } from "pg";
import { renameDurably, writeDurably } from "./engine/durable-file.ts";
import { EngineError } from "./engine/engine-error.ts";
import { lockDataDir } from "./engine/lock.ts";
import { openPostgres } from "./engine/open-postgres.ts";
import { changeOwner, openDataDir, unfinishedRestore } from "./engine/paths.ts";
import { stopStalePostmaster } from "./engine/stale-postmaster.ts";
import { type SuperuserAccess, superuserLogin } from "./engine/superuser.ts";
import { isRoot } from "./engine/system-user.ts";
import type { Log } from "./log.ts";
import { prepare } from "./prepare.ts";

export { EngineError } from "./engine/engine-error.ts";

// What commands do with a data folder, whether its site runs or not.

export interface OpenDatabase {
  /** Of role postgres. */
  login: ClientConfig;
  /** Identifies the keys that seal its secrets. */
  keys: string;
  /** The text of keys.json. */
  keyFile: string;
  /** Stops PostgreSQL if this started it. */
  close(): Promise<void>;
}

/** Opens the database of a running or stopped site. @throws {EngineError} if there is none */
export async function openDatabase(folder: string, log: Log): Promise<OpenDatabase> {
  const { dataDir, close, ...access } = await openPostgres(folder, log);
  try {
    return {
      login: ownerLogin(access),
      keys: await readFile(join(dataDir, "database/keys-identity"), "utf8"),
      keyFile: await readFile(join(dataDir, "keys.json"), "utf8"),
      close,
    };
  } catch (error) {
    // Otherwise its PostgreSQL would keep the process alive.
    await close();
    throw error;
  }
}

/** Connects as role postgres, which owns the site's tables and is not a superuser. */
const ownerLogin = (access: SuperuserAccess): ClientConfig => ({
  ...superuserLogin(access),
  options: "-c role=postgres",
});

interface NewDatabase {
  migrationsDir: string;
  /** The text of its keys.json; undefined: new keys. */
  keyFile: string | undefined;
  log: Log;
}

/** What `makeDatabase` makes. The database comes last. */
const madeNames = ["keys.json", "database"];

/**
 * Makes a migrated database in an empty data folder, and lets `fill` store rows in it as role postgres. All
 * of it is made in an inner folder, and moved when it is complete. Until then no site starts on the data
 * folder, and the next call begins again.
 * @throws {EngineError} if the folder is not empty, or the database cannot be made
 * @throws errors of `fill`
 */
export async function makeDatabase<Result>(
  folder: string,
  { migrationsDir, keyFile, log }: NewDatabase,
  fill: (login: ClientConfig, keys: string) => Promise<Result>,
): Promise<Result> {
  const dataDir = await openDataDir(folder);
  const unlock = lockDataDir(dataDir);
  const target = join(dataDir, unfinishedRestore);
  try {
    await clear(dataDir, target);
    await mkdir(target, { mode: 0o700 });
    try {
      if (keyFile !== undefined) {
        await writeDurably(join(target, "keys.json"), keyFile);
      }
      const { cluster, keys } = await prepare(target, { migrationsDir, log });
      const result = await fill(
        ownerLogin(cluster),
        keys.derive("identity").toString("hex"),
      ).finally(() => cluster.stop());
      for (const name of madeNames) {
        await renameDurably(join(target, name), join(dataDir, name));
      }
      await rm(target, { recursive: true });
      await giveToOwner(dataDir);
      return result;
    } catch (error) {
      await rm(target, { recursive: true, force: true });
      throw error;
    }
  } finally {
    unlock();
  }
}

/** Deletes what an unfinished call made. @throws {EngineError} if there is another database */
async function clear(dataDir: string, target: string): Promise<void> {
  const names = await readdir(dataDir);
  const made = madeNames.filter((name) => names.includes(name));
  if (made.length > 0 && !names.includes(unfinishedRestore)) {
    throw new EngineError("foreign", `The folder ${dataDir} is not empty.`);
  }
  const data = join(target, "database/cluster/data");
  if (existsSync(data)) {
    await stopStalePostmaster(data);
  }
  for (const path of [...made.map((name) => join(dataDir, name)), target]) {
    await rm(path, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** Gives what root has made to the owner of the folder, who will start the site. */
async function giveToOwner(dataDir: string): Promise<void> {
  const owner = await stat(dataDir);
  if (isRoot() && owner.uid !== 0) {
    await changeOwner(dataDir, owner);
  }
}
