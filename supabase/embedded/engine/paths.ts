import { existsSync } from "node:fs";
import {
  access,
  chmod,
  chown,
  constants,
  lchown,
  mkdir,
  readdir,
  realpath,
  stat,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Log } from "#embedded/log.ts";
import { postgresBinaries } from "./binaries.ts";
import { writeDurably } from "./durable-file.ts";
import { reason, EngineError } from "./engine-error.ts";
import { isRoot, postgresUser, type SystemUser } from "./system-user.ts";

export interface Paths {
  user: SystemUser;
  /** Contains bin, lib and share. */
  binaries: string;
  database: string;
  /** The complete cluster: `data` for PostgreSQL, `superuser-password` for bootstrap. */
  cluster: string;
  log: string;
}

const shownNames = 3;

/** The folder in which a restore makes the database. */
export const unfinishedRestore = "restoring";

/** @throws {EngineError} if a restore into the data folder was not finished */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  if (await stat(join(dataDir, unfinishedRestore)).catch(() => undefined)) {
    throw new EngineError("unfinished", `A restore into ${dataDir} was not finished.`);
  }
}

/**
 * What a data folder may hold before it has a database: the leftovers of a start or a restore that failed,
 * and files that systems add.
 */
const ownNames =
  /^(database|restoring|mails|(\.gitignore|keys\.json|site\.lock|postgres\.log)(\.new|\.1|-journal)?|lost\+found|\.DS_Store)$/;

/** @throws {EngineError} if the folder belongs to something else, because nothing may be written to it */
async function refuseOther(dataDir: string): Promise<void> {
  if (await stat(join(dataDir, "database/cluster")).catch(() => undefined)) {
    return;
  }
  const names = await readdir(dataDir).catch(() => []);
  const others = names.filter((name) => !ownNames.test(name));
  if (others.length > 0) {
    const some = others.slice(0, shownNames).join(", ");
    throw new EngineError("foreign", `The folder ${dataDir} has other things in it (${some}).`);
  }
}

/** Creates the data folder if it is missing. Returns its real path. Throws EngineError. */
export async function openDataDir(dataDir: string): Promise<string> {
  await refuseOther(dataDir);
  try {
    await createFolder(dataDir);
    const real = await realpath(dataDir);
    await access(real, constants.W_OK);
    if (!existsSync(join(real, ".gitignore"))) {
      await writeDurably(join(real, ".gitignore"), "*\n");
    }
    return real;
  } catch (error) {
    throw new EngineError("unusable", `The folder ${dataDir} cannot be written: ${reason(error)}`);
  }
}

/**
 * Finds the paths. If root has copied the cluster, gives it back to its user. Throws EngineError.
 */
export async function findPaths(dataDir: string, log: Log): Promise<Paths> {
  const database = join(dataDir, "database");
  const cluster = join(database, "cluster");
  const data = join(cluster, "data");
  await createFolder(database);
  const owner = await ownerOf(data);
  const user = owner && owner.uid !== 0 ? owner : postgresUser(log);
  if (owner?.uid === 0) {
    await changeOwner(data, user);
  }
  if (owner) {
    // Other users may be able to read a copy made by tar or cp, and PostgreSQL refuses such a folder.
    await chmod(data, 0o700);
  }
  const binaries = await postgresBinaries(user);
  return { user, binaries, database, cluster, log: join(dataDir, "postgres.log") };
}

/** Creates a folder and its parents. Node's own `recursive` never ends where nothing can be made, as in /proc. */
export async function createFolder(folder: string): Promise<void> {
  if (existsSync(folder)) {
    return;
  }
  await createFolder(dirname(folder));
  await mkdir(folder, 0o700);
  await chmod(folder, 0o700);
}

/**
 * The user that runs PostgreSQL. The group is the one of this process, because the group of the files may be
 * root's.
 */
async function ownerOf(data: string): Promise<SystemUser | undefined> {
  try {
    const { uid, gid } = await stat(data);
    if (!isRoot() && uid !== process.getuid?.()) {
      throw new EngineError(
        "unusable",
        `The database in ${data} belongs to another user; start the site as that user.`,
      );
    }
    return { uid, gid: isRoot() ? gid : (process.getgid?.() ?? gid) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") {
      return undefined;
    }
    if (code === "EACCES") {
      throw new EngineError(
        "unusable",
        `This user cannot enter ${data}; start the site as its owner.`,
      );
    }
    throw error;
  }
}

/** Gives a folder and all in it to a user, but not where a link in it leads. */
export async function changeOwner(folder: string, { uid, gid }: SystemUser): Promise<void> {
  // Without types, readdir would enter a link to a folder.
  for (const { parentPath, name } of await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  })) {
    await lchown(join(parentPath, name), uid, gid);
  }
  await chown(folder, uid, gid);
}

/** The environment of PostgreSQL. That of the site has passwords. */
export const postgresEnvironment = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/**
 * Returns the path for a process whose working directory is `data`, because its user may not enter the
 * parents.
 */
export function dataArgument(data: string): string {
  return isRoot() && process.platform === "linux" ? "/proc/self/cwd" : data;
}
