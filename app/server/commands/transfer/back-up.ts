import { chown, mkdir, rm, stat } from "node:fs/promises";
import type { Client } from "pg";
import { StartError } from "#app/lib/start-error.ts";
import {
  backupPath,
  listBackups,
  removeUnfinished,
  superseded,
} from "#app/server/backups/files.ts";
import type { BackupPlace } from "#app/server/backups/place.ts";
import { WriteError } from "#app/server/backups/write-error.ts";
import { showProgress } from "./progress.ts";
import { saveCopy } from "./save.ts";

interface BackupOptions {
  place: BackupPlace;
  passphrase: string | undefined;
  /** Whether somebody asked for it: no later run removes it, and it removes none. */
  isByHand: boolean;
  /** Version of the site. */
  version: string;
  /** Names the secrets of the database. */
  keys: string;
  keyFile: string | undefined;
}

interface FinishedBackup {
  path: string;
  bytes: number;
  /** The paths of the older backups whose place it takes. */
  removed: string[];
}

/** Number of the lock of PostgreSQL that a backup holds. */
const lockNumber = 7_263_401;

/**
 * Backs up a database. The night's run then removes the superseded backups, unless the date is in
 * doubt. A failed run removes its file; the next run removes the file of a killed one.
 * @throws {StartError} with one sentence for the owner
 */
export async function backUp(
  client: Client,
  { place, isByHand, ...options }: BackupOptions,
): Promise<FinishedBackup> {
  const { rows } = await client.query("select pg_try_advisory_lock($1) as free", [lockNumber]);
  if (rows[0].free !== true) {
    throw new StartError("Another backup of this site is running.");
  }
  const isEncrypted = options.passphrase !== undefined;
  const at = new Date();
  const path = backupPath(place, at, { isEncrypted, isByHand });
  try {
    await mkdir(place.folder, { recursive: true, mode: 0o700 });
    await removeUnfinished(place, at);
    await saveCopy(client, path, { ...options, progress: showProgress() });
    if (process.getuid?.() === 0) {
      // What root makes belongs to the owner of the folder, who may have to restore it.
      const { uid, gid } = await stat(place.folder);
      await chown(path, uid, gid);
    }
    const { rows: dates } = await client.query("select private.date_is_in_doubt() as doubt");
    const old = isByHand || dates[0].doubt ? [] : superseded(await listBackups(place), at);
    const removed = old.map((backup) => backup.path);
    for (const each of removed) {
      await rm(each);
    }
    return { path, bytes: (await stat(path)).size, removed };
  } catch (error) {
    throw error instanceof StartError ? error : new WriteError(place.folder, error);
  }
}
