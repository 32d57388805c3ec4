import { existsSync, statSync } from "node:fs";
import { access, constants, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { timeZone } from "#app/content/owner.ts";
import { StartError } from "#app/lib/start-error.ts";
import type { Env } from "#app/server/settings.ts";

// A backup is `<folder>/<site>-2026-11-21T23-42-00.123Z.jsonl.zst`. One that is encrypted ends with `.age`,
// and one that is not complete and verified, of a run that goes on or was killed, with `.new`.

export interface BackupPlace {
  folder: string;
  /** Prefix of the names. The folder may hold backups of other sites. */
  site: string;
}

interface BackupFile {
  path: string;
  at: Date;
}

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** The day of a backup begins at 03:00. */
const dayStartHour = 3;
/** As /privacy says. */
const mostDays = 35;

/** The day of a backup, in the owner's time zone. Swedish dates are ISO 8601, so they compare as strings. */
export const dayOf = (at: Date): string =>
  // It is not made while this module loads, because checkOwner names a wrong time zone after that.
  new Date(at.getTime() - dayStartHour * hourMs).toLocaleDateString("sv-SE", { timeZone });

/**
 * The folder of the backups and the name of the site in them; undefined without BACKUP_DIR.
 * @throws {StartError} if it is not a folder
 */
export function backupPlace(env: Env): BackupPlace | undefined {
  const { host } = new URL(env.SITE_URL ?? `http://localhost:${env.PORT}`);
  const folder = env.BACKUP_DIR;
  if (folder === undefined) {
    return undefined;
  }
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new StartError(`BACKUP_DIR is wrong: ${folder} is not a folder`);
  }
  return { folder, site: host.replaceAll(/[^\w.]+/g, "-") };
}

/**
 * Makes the folder of the backups if it is missing, but not its parents: one may be a disk that is not
 * mounted. @throws {StartError} if no backup can be written there
 */
export async function openBackupFolder({ folder }: BackupPlace): Promise<void> {
  try {
    if (!existsSync(folder)) {
      await mkdir(folder, 0o700);
    }
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new StartError(
      `No backup can be written to the folder of BACKUP_DIR: ${(error as Error).message}. It must belong to the site's user, and a unit of systemd must name it in ReadWritePaths=.`,
    );
  }
}

/** The milliseconds make it unique. */
const timeInName = (at: Date) => at.toISOString().replaceAll(":", "-");

/** Returns the path of a backup made at a time. */
export const backupPath = (
  { folder, site }: BackupPlace,
  at: Date,
  { isEncrypted = false },
): string => join(folder, `${site}-${timeInName(at)}.jsonl.zst${isEncrypted ? ".age" : ""}`);

const namePattern =
  /^(.+)-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.jsonl\.zst(?:\.age)?(\.new)?$/;

/** Returns the finished or the unfinished backups, the newest first. @throws errors of the file system */
export async function listBackups(
  { folder, site }: BackupPlace,
  ending?: ".new",
): Promise<BackupFile[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  const files = names.flatMap((name) => {
    const [, ofSite, hour, minute, second, end] = namePattern.exec(name) ?? [];
    const at = new Date(`${hour}:${minute}:${second}`);
    // Another site's name may begin with this one's.
    return ofSite === site && end === ending ? { path: join(folder, name), at } : [];
  });
  return files.toSorted((a, b) => b.at.getTime() - a.at.getTime());
}

/**
 * Deletes old backups, and the leftovers of killed runs. It keeps the last backup of each of the 35 newest
 * days by their names, and all backups of the day of the one that was just made: an update makes two in a
 * row, and a way back may need the first. A clock that is wrong for a day therefore deletes one of the
 * oldest, not all. Returns how many backups it deleted.
 */
export async function sweepBackups(place: BackupPlace, made: string): Promise<number> {
  const backups = await listBackups(place);
  const lastOfDay = new Map(backups.toReversed().map(({ path, at }) => [dayOf(at), path]));
  const kept = new Set([...lastOfDay.values()].slice(-mostDays));
  const madeAt = backups.find(({ path }) => path === made)?.at;
  const day = madeAt && dayOf(madeAt);
  const old = backups.filter(({ path, at }) => !kept.has(path) && dayOf(at) !== day);
  const unfinished = await listBackups(place, ".new");
  const left = unfinished.filter(({ at }) => Math.abs(Date.now() - at.getTime()) > dayMs);
  for (const { path } of [...old, ...left]) {
    await rm(path);
  }
  return old.length;
}
