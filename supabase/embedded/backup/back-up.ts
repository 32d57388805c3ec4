import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { renameDurably } from "#embedded/engine/durable-file.ts";
import { lockFile } from "#embedded/engine/lock.ts";
import { openPostgres } from "#embedded/engine/open-postgres.ts";
import { StartError } from "#embedded/engine/start-error.ts";
import type { SuperuserAccess } from "#embedded/engine/superuser.ts";
import type { Log } from "#embedded/log.ts";
import { writeArchive } from "./archive.ts";
import { openBaseBackup } from "./base-backup.ts";
import {
  dataFolder,
  type Manifest,
  manifestFile,
  ownFiles,
  postgresManifest,
  readBackup,
} from "./contents.ts";
import {
  backupPath,
  type BackupPlace,
  listBackups,
  removeUnfinished,
  superseded,
  unfinishedPath,
} from "./files.ts";
import { type AddEntry, readTar } from "./tar.ts";
import { WriteError } from "./write-error.ts";

interface BackupOptions {
  dataDir: string;
  place: BackupPlace;
  passphrase: string | undefined;
  /** Whether somebody asked for it: no later run removes it, and it removes none. */
  isByHand: boolean;
  /** Version of the site. */
  version: string;
  log: Log;
}

interface FinishedBackup {
  path: string;
  bytes: number;
  /** The paths of the older backups whose place it takes. */
  removed: string[];
}

/**
 * Backs up the data folder of a running or stopped site. Reads the whole file again before it gets
 * its final name; the night's run then removes the superseded backups. A failed run removes its file; the next run
 * removes the file of a killed one.
 * @throws {StartError} with one sentence for the owner
 */
export async function backUp(options: BackupOptions): Promise<FinishedBackup> {
  const { dataDir, place, passphrase, isByHand } = options;
  await using resources = new AsyncDisposableStack();
  const postgres = await openPostgres(dataDir, options.log);
  resources.defer(() => postgres.close());
  resources.defer(
    lockFile(join(postgres.dataDir, "backup.lock"), "Another backup of this site is running."),
  );
  const at = new Date();
  const path = backupPath(place, at, { isEncrypted: passphrase !== undefined, isByHand });
  const unfinished = unfinishedPath(path);
  try {
    await mkdir(place.folder, { recursive: true, mode: 0o700 });
    await removeUnfinished(place);
    resources.defer(() => rm(unfinished, { force: true }));
    const manifest: Manifest = {
      format: 1,
      version: options.version,
      time: at.toISOString(),
      postgres: await majorVersion(postgres.dataDir),
    };
    await writeArchive(unfinished, passphrase, (add) =>
      addAll(postgres.dataDir, postgres, manifest, add),
    );
    await readBackup(unfinished, passphrase, {
      take: ({ body }) => finished(Readable.from(body).resume()),
    });
    await renameDurably(unfinished, path);
    const removed = isByHand ? [] : superseded(await listBackups(place)).map((old) => old.path);
    for (const old of removed) {
      await rm(old);
    }
    return { path, bytes: (await stat(path)).size, removed };
  } catch (error) {
    throw error instanceof StartError ? error : new WriteError(place.folder, error);
  }
}

async function addAll(
  dataDir: string,
  access: SuperuserAccess,
  manifest: Manifest,
  add: AddEntry,
): Promise<void> {
  await addBytes(add, manifestFile, Buffer.from(JSON.stringify(manifest)));
  const mails = await readdir(join(dataDir, "mails")).catch(() => []);
  for (const path of [...ownFiles, ...mails.map((name) => `mails/${name}`)]) {
    await addBytes(add, path, await readFile(join(dataDir, path)));
  }
  const base = await openBaseBackup(access);
  try {
    for await (const { path, size, body } of readTar(base.archive)) {
      await add({ path: dataFolder + path, size, body });
    }
    await addBytes(add, postgresManifest, base.manifest());
  } finally {
    await base.close();
  }
}

const addBytes = (add: AddEntry, path: string, bytes: Uint8Array) =>
  add({ path, size: bytes.length, body: Readable.from([bytes]) });

async function majorVersion(dataDir: string): Promise<number> {
  return Number(await readFile(join(dataDir, dataFolder, "PG_VERSION"), "utf8"));
}
