import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BackupPlace } from "./place.ts";

// A backup is `<folder>/<site>-2026-11-21T23-42-00Z.jsonl.zst`, or `…Z-by-hand.jsonl.zst` for one that
// the site did not make by itself, and does not remove. One that is encrypted ends with `.age`.

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
function partsOf(name: string, site: string) {
  const time = name.startsWith(`${site}-`) ? name.slice(site.length + 1) : "";
  return /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z(-by-hand)?\.jsonl\.zst(\.age)?$/.exec(time);
}

function timeOf(name: string, site: string): Date | undefined {
  const [, date, hour, minute, second] = partsOf(name, site) ?? [];
  return date === undefined ? undefined : new Date(`${date}T${hour}:${minute}:${second}Z`);
}

/** Returns the finished backups, the newest first. @throws errors of the file system */
export async function listBackups({ folder, site }: BackupPlace): Promise<BackupFile[]> {
  const found: BackupFile[] = [];
  for (const name of await readdir(folder)) {
    const at = timeOf(name, site);
    if (at) {
      found.push({ path: join(folder, name), at, isByHand: name.includes("-by-hand.") });
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
    `${site}-${time}${isByHand ? "-by-hand" : ""}.jsonl.zst${isEncrypted ? ".age" : ""}`,
  );
}

const unfinished = ".new";

/** A backup has this name until it is complete and verified. */
export const unfinishedPath = (path: string) => `${path}${unfinished}`;

/** Removes the files of killed backups that began before a time. */
export async function removeUnfinished({ folder, site }: BackupPlace, before: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const at = name.endsWith(unfinished) && timeOf(name.slice(0, -unfinished.length), site);
    if (at && at <= before) {
      await rm(join(folder, name), { force: true });
    }
  }
}

/**
 * Returns the backups whose place newer ones take. Keeps the newest one of each day and week (UTC),
 * for the last seven days and the last four weeks that have a backup, all made by hand, and those from
 * the future, which were made while the clock was wrong.
 * @param all the newest first
 */
export function superseded(all: BackupFile[], now: Date): BackupFile[] {
  const backups = all.filter(({ at, isByHand }) => !isByHand && at <= now);
  const kept = new Set([
    ...newestOfEach(backups, ({ at }) => at.toISOString().slice(0, 10)).slice(0, days),
    ...newestOfEach(backups, ({ at }) => weekOf(at)).slice(0, weeks),
  ]);
  return backups.filter((backup) => !kept.has(backup));
}

/**
 * Returns the backups that are too old, but never the newest of all, and none made by hand.
 * @param all the newest first
 */
export function expired(all: BackupFile[], now: Date): BackupFile[] {
  const oldest = now.getTime() - mostDays * dayMs;
  return all.slice(1).filter(({ at, isByHand }) => !isByHand && at.getTime() < oldest);
}

/** Deletes the backups that are too old, and what killed ones left. Returns how many were too old. */
export async function sweepBackups(place: BackupPlace): Promise<number> {
  if (!existsSync(place.folder)) {
    return 0;
  }
  const now = new Date();
  await removeUnfinished(place, new Date(now.getTime() - dayMs));
  const old = expired(await listBackups(place), now);
  for (const { path } of old) {
    await rm(path);
  }
  return old.length;
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
