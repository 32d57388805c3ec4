import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Where a site's backups are: `<folder>/<site>-2026-11-21T23-42-00Z.tar.zst`, or `…Z-by-hand.tar.zst`
 * for one that the site did not make by itself, and does not remove.
 */
export interface BackupPlace {
  folder: string;
  /** Prefix of the names. The folder may hold backups of other sites. */
  site: string;
}

interface BackupFile {
  path: string;
  at: Date;
  isByHand: boolean;
}

const days = 7;
const weeks = 4;
/** As /privacy says. */
const mostDays = 35;

/** Returns the parts of a finished backup's name. Another site's name may begin with this one's. */
function partsOf(name: string, site: string): RegExpExecArray | null {
  const time = name.startsWith(`${site}-`) ? name.slice(site.length + 1) : "";
  return /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z(-by-hand)?\.tar\.zst(\.age)?$/.exec(time);
}

/** Returns the finished backups, the newest first. @throws errors of the file system */
export async function listBackups({ folder, site }: BackupPlace): Promise<BackupFile[]> {
  const found: BackupFile[] = [];
  for (const name of await readdir(folder)) {
    const parts = partsOf(name, site);
    if (parts) {
      const [, date, hour, minute, second, byHand] = parts;
      const at = new Date(`${date}T${hour}:${minute}:${second}Z`);
      found.push({ path: join(folder, name), at, isByHand: byHand !== undefined });
    }
  }
  return found.toSorted((a, b) => b.at.getTime() - a.at.getTime());
}

/** Returns the path of a backup made at a time. */
export function backupPath(
  { folder, site }: BackupPlace,
  at: Date,
  { isEncrypted, isByHand }: { isEncrypted: boolean; isByHand: boolean },
): string {
  const time = at
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(":", "-");
  return join(
    folder,
    `${site}-${time}${isByHand ? "-by-hand" : ""}.tar.zst${isEncrypted ? ".age" : ""}`,
  );
}

const unfinished = ".new";

/** A backup has this name until it is complete and verified. */
export const unfinishedPath = (path: string) => `${path}${unfinished}`;

/** Removes the files of killed backups. The caller must hold the backup lock. */
export async function removeUnfinished({ folder, site }: BackupPlace): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.endsWith(unfinished) && partsOf(name.slice(0, -unfinished.length), site)) {
      await rm(join(folder, name), { force: true });
    }
  }
}

/**
 * Returns the backups to remove. Keeps the newest one of each day and week (UTC), for the last
 * seven days and the last four weeks that have a backup, for 35 days at most, and all that were made
 * by hand.
 * @param all the newest first
 */
export function superseded(all: BackupFile[]): BackupFile[] {
  const backups = all.filter(({ isByHand }) => !isByHand);
  const kept = new Set([
    ...newestOfEach(backups, ({ at }) => at.toISOString().slice(0, 10)).slice(0, days),
    ...newestOfEach(backups, ({ at }) => weekOf(at)).slice(0, weeks),
  ]);
  const oldest = (backups[0]?.at.getTime() ?? 0) - mostDays * dayMs;
  return backups.filter((backup) => !kept.has(backup) || backup.at.getTime() < oldest);
}

function newestOfEach<T>(backups: BackupFile[], periodOf: (backup: BackupFile) => T): BackupFile[] {
  const seen = new Map<T, BackupFile>();
  for (const backup of backups) {
    const period = periodOf(backup);
    if (!seen.has(period)) {
      seen.set(period, backup);
    }
  }
  return [...seen.values()];
}

const dayMs = 24 * 60 * 60 * 1000;

/** Weeks begin on Monday. The first day of 1970 was a Thursday. */
const weekOf = (at: Date) => Math.floor((at.getTime() / dayMs + 3) / 7);
