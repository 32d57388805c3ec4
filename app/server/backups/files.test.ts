import { readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "#tests/support/folder.ts";
import { backupPath, listBackups, outdated, sweepBackups } from "./files.ts";

const place = { folder: "/backups", site: "your.site" };
const pathAt = (at: Date, isByHand = false, where = place) =>
  backupPath(where, at, { isEncrypted: false, isByHand });
const backup = (at: Date, isByHand = false) => ({ path: pathAt(at, isByHand), at, isByHand });

// A Saturday: the weeks before end on the 15th, the 8th and the 1st.
const now = new Date("2026-11-21T12:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 60 * 60_000);
const daysAgo = (days: number, isByHand = false) => backup(hoursAgo(days * 24), isByHand);

test("a backup is named after site, moment and who asked for it", () => {
  const at = new Date("2026-11-21T23:42:07.123Z");
  expect(backupPath(place, at, { isEncrypted: true, isByHand: false })).toBe(
    "/backups/your.site-2026-11-21T23-42-07.123Z.jsonl.zst.age",
  );
  expect(pathAt(at, true)).toBe("/backups/your.site-2026-11-21T23-42-07.123Z-by-hand.jsonl.zst");
});

test("the newest of seven days and of four weeks stay", () => {
  const daily = Array.from({ length: 60 }, (_, days) => daysAgo(days));
  const kept = daily.filter((each) => !outdated(daily, now).includes(each));
  expect(kept.map(({ at }) => at.getUTCDate())).toEqual([21, 20, 19, 18, 17, 16, 15, 8, 1]);
});

test("of one day the newest stays, days without a backup do not count, and none is older than 35 days", () => {
  const rare = [daysAgo(0), backup(hoursAgo(3)), daysAgo(20), daysAgo(35), daysAgo(36)];
  expect(outdated(rare, now)).toEqual([rare[1], rare[4]]);
});

test("the newest of all stays, and each made by hand, which takes no other's place", () => {
  expect(outdated([daysAgo(120), daysAgo(200)], now)).toEqual([daysAgo(200)]);
  const mixed = [daysAgo(0, true), backup(hoursAgo(1)), backup(hoursAgo(4)), daysAgo(2000, true)];
  expect(outdated(mixed, now)).toEqual([mixed[2]]);
});

test("backups of the future stay, and take no place: the clock was wrong", () => {
  const future = Array.from({ length: 9 }, (_, days) => daysAgo(-1000 - days)).toReversed();
  expect(outdated([...future, daysAgo(0), daysAgo(1)], now)).toEqual([]);
});

const daysBack = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000);

test("the sweep deletes what is outdated or was left by a kill, and nothing of a site named alike", async () => {
  await using folder = await tempFolder();
  const here = { ...place, folder: folder.path };
  const alike = { ...here, site: "your.site-8443" };
  const old = [pathAt(daysBack(60), false, here), `${pathAt(daysBack(2), true, here)}.new`];
  const kept = [
    pathAt(daysBack(2), false, here),
    `${pathAt(daysBack(0), false, here)}.new`,
    pathAt(daysBack(60), false, alike),
    `${pathAt(daysBack(60), false, alike)}.new`,
    join(folder.path, "notes.txt"),
  ];
  for (const path of [...old, ...kept]) {
    await writeFile(path, "");
  }
  expect(await sweepBackups(here)).toBe(1);
  expect(await sweepBackups(here)).toBe(0);
  expect((await readdir(folder.path)).toSorted()).toEqual(kept.map((p) => basename(p)).toSorted());
  expect((await listBackups(here)).map(({ path }) => path)).toEqual(kept.slice(0, 1));
});
