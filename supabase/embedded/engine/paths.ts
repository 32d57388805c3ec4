import { createHash } from "node:crypto";
import { chmod, chown, mkdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

import { canEnter, postgresUser } from "./system-user.ts";
import type { SystemUser } from "./system-user.ts";
import { postgresBinaries } from "./binaries.ts";
import { writeDurably } from "./durable-file.ts";
import { reason, StartError } from "./start-error.ts";

/** Where PostgreSQL of one site lives and as whom it runs. */
export type Paths = {
  user: SystemUser;
  /** Holds bin, lib and share. */
  binaries: string;
  /** Holds the cluster; owned by the account, closed to everybody else. */
  home: string;
};

/** Below this, root keeps what Postgres' account could not reach in the data folder. */
const OUTSIDE = "/var/lib/tawasul";
const POINTER = "database.location";

/**
 * Makes the data folder if there is none and gives its real path. Fails with StartError when
 * it cannot be made or written.
 */
export async function openDataDir(dataDir: string): Promise<string> {
  // Root's data folder must let Postgres' account pass; what is in it has modes of its own.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    await mkdir(dataDir, { recursive: true, mode });
    const real = await realpath(dataDir);
    await writeDurably(join(real, ".gitignore"), "*\n");
    return real;
  } catch (error) {
    throw new StartError(`The data folder ${dataDir} cannot be written: ${reason(error)}`);
  }
}

/**
 * Decides where the cluster lives: in the data folder; or, when root starts the site in a
 * folder that Postgres' account cannot enter, in a folder of that account's own below
 * /var/lib. Fails with StartError.
 */
export async function findPaths(dataDir: string): Promise<Paths> {
  const user = (await ownerOf(join(dataDir, "database"))) ?? postgresUser();
  const home = (await recordedHome(dataDir)) ?? chooseHome(dataDir, user);
  await mkdir(dirname(home), { recursive: true, mode: 0o755 });
  await mkdir(home, { recursive: true, mode: 0o700 });
  if (process.getuid?.() === 0) await chown(home, user.uid, user.gid);
  await chmod(home, 0o700);
  return { user, home, binaries: await postgresBinaries(user, OUTSIDE) };
}

/** An existing database runs as whoever owns it, also when root starts the site later. */
async function ownerOf(home: string): Promise<SystemUser | undefined> {
  const found = await stat(home).catch(() => undefined);
  if (!found || found.uid === 0) return undefined;
  const uid = process.getuid?.();
  if (uid !== 0 && uid !== found.uid)
    throw new StartError(
      `The database in ${home} belongs to another user; start the site as that user.`,
    );
  return { uid: found.uid, gid: found.gid };
}

async function recordedHome(dataDir: string): Promise<string | undefined> {
  const pointer = join(dataDir, POINTER);
  const text = await readFile(pointer, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const home = text.trim();
  if (await stat(home).catch(() => undefined)) return home;
  throw new StartError(
    `The database of ${dataDir} was kept in ${home} and is gone; restore it, or delete ${pointer} to begin empty.`,
  );
}

function chooseHome(dataDir: string, user: SystemUser): string {
  if (canEnter(user, dataDir)) return join(dataDir, "database");
  if (process.getuid?.() !== 0)
    throw new StartError(`The data folder ${dataDir} cannot be entered by this user.`);
  const id = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  return join(OUTSIDE, id);
}

/**
 * Notes in the data folder that the finished cluster lives elsewhere, so that a lost one is
 * noticed instead of silently replaced by an empty one.
 */
export async function recordHome(dataDir: string, home: string): Promise<void> {
  if (home === join(dataDir, "database")) return;
  await writeDurably(join(dataDir, POINTER), `${home}\n`);
}
