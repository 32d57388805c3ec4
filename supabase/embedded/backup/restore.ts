import { createWriteStream } from "node:fs";
import { lchown, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { postgresMajor } from "#embedded/engine/binaries.ts";
import { startCluster } from "#embedded/engine/cluster.ts";
import { renameDurably } from "#embedded/engine/durable-file.ts";
import { lockDataDir } from "#embedded/engine/lock.ts";
import { openDataDir, unfinishedRestore } from "#embedded/engine/paths.ts";
import { reason, StartError } from "#embedded/engine/start-error.ts";
import { connectAsSuperuser } from "#embedded/engine/superuser.ts";
import { isRoot } from "#embedded/engine/system-user.ts";
import type { Log } from "#embedded/log.ts";
import { dataFolder, type Manifest, readBackup } from "./contents.ts";
import type { Entry } from "./tar.ts";

interface Restored extends Manifest {
  accounts: number;
  messages: number;
}

/** Files that an empty folder may have, such as the lock and its journal. */
const ignoredNames = /^(\.gitignore|lost\+found|site\.lock.*|restoring)$/;

/**
 * Restores a backup to an empty data folder. Starts its database once, which replays the WAL. All
 * files are made in a temporary folder and moved when complete. Until then no site starts on the
 * data folder, and another restore starts over.
 * @throws {StartError} if the folder is not empty or in use, or the backup cannot be used
 */
export async function restore(
  file: string,
  passphrase: string | undefined,
  folder: string,
  log: Log,
): Promise<Restored> {
  const dataDir = await openDataDir(folder);
  const unlock = lockDataDir(dataDir);
  try {
    await clear(dataDir);
    const target = join(dataDir, unfinishedRestore);
    await mkdir(target, { mode: 0o700 });
    try {
      const manifest = await readBackup(file, passphrase, {
        begin: ({ postgres }) => checkMajor(file, postgres),
        take: (entry) => write(target, entry),
      });
      await writeConfiguration(target);
      const counts = await start(target, log);
      await move(target, dataDir);
      await giveToOwner(dataDir);
      return { ...manifest, ...counts };
    } catch (error) {
      await rm(target, { recursive: true, force: true });
      throw error instanceof StartError
        ? error
        : new StartError(`The backup could not be restored to ${dataDir}: ${reason(error)}`);
    }
  } finally {
    unlock();
  }
}

/** Empties the folder after an unfinished restore: all its files are from that restore. */
async function clear(dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  const isUnfinished = names.includes(unfinishedRestore);
  const others = names.filter((name) => !ignoredNames.test(name));
  if (others.length > 0 && !isUnfinished) {
    throw new StartError(
      `${dataDir} is not empty: a backup is restored to an empty folder only. Set DATA_DIR to a new one.`,
    );
  }
  for (const name of [...others, unfinishedRestore]) {
    await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

async function checkMajor(file: string, theirs: number): Promise<void> {
  const ours = await postgresMajor();
  if (ours !== theirs) {
    throw new StartError(
      `The backup ${file} is of PostgreSQL ${theirs}, but this version of the site has ${ours}: restore it with the version that made it (.github/BACKUPS.md).`,
    );
  }
}

// The site gives PostgreSQL its settings when it starts it. Those of a backup could run commands.
const configuration = {
  "postgresql.conf": "",
  "pg_ident.conf": "",
  "pg_hba.conf": "local all all scram-sha-256\nlocal replication all scram-sha-256\n",
};

async function writeConfiguration(target: string): Promise<void> {
  for (const [name, text] of Object.entries(configuration)) {
    await writeFile(join(target, dataFolder, name), text, { flag: "wx", mode: 0o600 });
  }
}

/**
 * Writes an entry, or only reads it if it is configuration. `readBackup` has checked the path.
 * PostgreSQL or `move` syncs the file.
 */
async function write(target: string, { path, body }: Entry): Promise<void> {
  if (path.endsWith(".conf")) {
    await finished(Readable.from(body).resume());
    return;
  }
  const place = join(target, path);
  const isFolder = path.endsWith("/");
  await mkdir(isFolder ? place : dirname(place), { recursive: true, mode: 0o700 });
  if (!isFolder) {
    await pipeline(body, createWriteStream(place, { flags: "wx", mode: 0o600 }));
  }
}

async function start(target: string, log: Log): Promise<{ accounts: number; messages: number }> {
  const cluster = await startCluster(target, log);
  const sql = connectAsSuperuser(cluster);
  try {
    const [counts] = await sql<{ accounts: number; messages: number }>`
      select (select count(*)::int from auth.users) as accounts,
        (select count(*)::int from public.contact_messages) as messages`;
    return counts ?? { accounts: 0, messages: 0 };
  } finally {
    await sql.end();
    await cluster.stop();
  }
}

/** After a restore by root, the folder's files belong to its owner, who then starts the site. */
async function giveToOwner(dataDir: string): Promise<void> {
  const { uid, gid } = await stat(dataDir);
  if (isRoot() && uid !== 0) {
    for (const name of await readdir(dataDir, { recursive: true })) {
      await lchown(join(dataDir, name), uid, gid);
    }
  }
}

/** Moves the database last. */
async function move(target: string, dataDir: string): Promise<void> {
  for (const name of ["keys.json", "mails", "database"]) {
    if (await stat(join(target, name)).catch(() => undefined)) {
      await renameDurably(join(target, name), join(dataDir, name));
    }
  }
  await rm(target, { recursive: true });
}
