import { existsSync, statSync } from "node:fs";
import { access, constants, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "#app/lib/start-error.ts";
import type { Env } from "#app/server/settings.ts";

// A backup is `<folder>/<site>-2026-11-21T23-42-00.123Z.jsonl.zst`, or `…Z-undated.jsonl.zst` if the date
// was in doubt. One that is encrypted ends with `.age`, and one that is not complete and verified, of a run
// that goes on or was killed, with `.new`.

export interface BackupPlace {
  folder: string;
  /** Prefix of the names. The folder may hold backups of other sites. */
  site: string;
}

interface BackupFile {
  path: string;
  at: Date;
  isUndated: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;
/** As /privacy says. */
const mostMs = 35 * dayMs;

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

/** With its milliseconds no other has the same. */
const timeInName = (at: Date, isUndated = false) =>
  `${at.toISOString().replaceAll(":", "-")}${isUndated ? "-undated" : ""}`;

/** Returns the path of a backup made at a time. */
export const backupPath = (
  { folder, site }: BackupPlace,
  at: Date,
  { isEncrypted = false, isUndated = false },
): string =>
  join(folder, `${site}-${timeInName(at, isUndated)}.jsonl.zst${isEncrypted ? ".age" : ""}`);

const namePattern =
  /^(.+)-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)(-undated)?\.jsonl\.zst(?:\.age)?(\.new)?$/;

/** Returns the finished or the unfinished backups, the newest first. @throws errors of the file system */
export async function listBackups(
  { folder, site }: BackupPlace,
  ending?: ".new",
): Promise<BackupFile[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  const files = names.flatMap((name) => {
    const [, ofSite, hour, minute, second, undated, end] = namePattern.exec(name) ?? [];
    const at = new Date(`${hour}:${minute}:${second}`);
    // Another site's name may begin with this one's.
    return ofSite === site && end === ending
      ? { path: join(folder, name), at, isUndated: undated !== undefined }
      : [];
  });
  return files.toSorted((a, b) => b.at.getTime() - a.at.getTime());
}

/**
 * Deletes the backups that are older than 35 days, but not the newest of all, and what killed ones left
 * a day ago or earlier. Returns how many were too old.
 * @param now a time that is not ahead of the true one
 */
export async function sweepBackups(place: BackupPlace, now: number): Promise<number> {
  await dateAnew(place, now);
  const [, ...others] = await listBackups(place);
  const old = others.filter(({ at }) => at.getTime() < now - mostMs);
  const unfinished = await listBackups(place, ".new");
  const left = unfinished.filter(({ at }) => at.getTime() < now - dayMs);
  for (const { path } of [...old, ...left]) {
    await rm(path);
  }
  return old.length;
}

/** Dates what a wrong clock has dated: it would go too soon, or stay until the time in its name. */
async function dateAnew(place: BackupPlace, now: number): Promise<void> {
  const wrong = (await listBackups(place)).filter(
    ({ at, isUndated }) => isUndated || at.getTime() > now + dayMs,
  );
  for (const [index, { path, at, isUndated }] of wrong.entries()) {
    await rename(path, path.replace(timeInName(at, isUndated), timeInName(new Date(now - index))));
  }
}
