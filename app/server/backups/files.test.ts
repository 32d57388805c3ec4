import { readdir, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { useFolder } from "#tests/support/use-folder.ts";
import { backupPath, listBackups, sweepBackups } from "./files.ts";

const folder = useFolder();
const place = () => ({ folder: folder.path, site: "your.site" });
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000);

interface Marks {
  isEncrypted?: boolean;
  isUndated?: boolean;
  site?: string;
}

/** Returns the path of a backup of an age in days. */
function pathOf(days: number, { site = "your.site", ...marks } = {} as Marks) {
  return backupPath({ folder: folder.path, site }, daysAgo(days), marks);
}

/** Sweeps a folder of these files. Returns how many were too old, and the files that are left. */
async function swept(...paths: string[]) {
  for (const path of paths) {
    await writeFile(path, "");
  }
  return sweepAt(Date.now());
}

async function sweepAt(now: number) {
  const count = await sweepBackups(place(), now);
  return { count, left: new Set(await readdir(folder.path)) };
}

const named = (...paths: string[]) => new Set(paths.map((path) => basename(path)));

test("a backup is named after site and moment", () => {
  const at = new Date("2026-11-21T23:42:07.123Z");
  const backups = { folder: "/backups", site: "your.site" };
  const name = "/backups/your.site-2026-11-21T23-42-07.123Z.jsonl.zst";
  expect(backupPath(backups, at, {})).toBe(name);
  expect(backupPath(backups, at, { isEncrypted: true })).toBe(`${name}.age`);
});

test("after 35 days a backup is deleted, but none of a site named alike", async () => {
  const kept = [pathOf(1), pathOf(34.9), pathOf(60, { site: "your.site-8443" })];
  const old = [pathOf(35.1), pathOf(36, { isEncrypted: true })];
  expect(await swept(...kept, ...old)).toEqual({ count: 2, left: named(...kept) });
});

test("the newest of all stays, however old it is", async () => {
  const newest = pathOf(60);
  expect(await swept(pathOf(90), newest)).toEqual({ count: 1, left: named(newest) });
});

test("backups that a wrong clock has dated get the date of the first sweep, as they have no other", async () => {
  const { count } = await swept(
    pathOf(3650, { isUndated: true }),
    pathOf(-1000, { isUndated: true, isEncrypted: true }),
    // Of a machine whose clock alone was ahead of the database's.
    pathOf(-1001),
  );
  expect(count).toBe(0);
  const dated = await listBackups(place());
  const isNew = dated.map(({ at }) => Math.abs(Date.now() - at.getTime()) < 60_000);
  expect(isNew).toEqual([true, true, true]);
  expect(dated.some(({ isUndated }) => isUndated)).toBe(false);
  expect(dated.filter(({ path }) => path.endsWith(".age"))).toHaveLength(1);
});

test("a clock that is ahead of the database's deletes no backup", async () => {
  expect(await swept(pathOf(1), pathOf(34))).toMatchObject({ count: 0 });
  vi.useFakeTimers({ now: Date.now() + 40 * 24 * 60 * 60_000, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await sweepAt(Date.now() - 40 * 24 * 60 * 60_000)).toMatchObject({ count: 0 });
});

test("what a killed backup left is deleted after a day, and is no backup before", async () => {
  const [running, killed] = [`${pathOf(0.9)}.new`, `${pathOf(1.1)}.new`];
  const alike = `${pathOf(2, { site: "your.site-8443" })}.new`;
  expect(await swept(running, killed, alike)).toEqual({ count: 0, left: named(running, alike) });
  expect(await listBackups(place())).toEqual([]);
});
