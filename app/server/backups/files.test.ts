import { readdir, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { tempFolder } from "#tests/support/folder.ts";
import {
  backupPath,
  expired,
  listBackups,
  removeUnfinished,
  superseded,
  sweepBackups,
  unfinishedPath,
} from "./files.ts";

const place = { folder: "/backups", site: "your.site" };
const backup = (at: Date, isByHand = false) => ({
  path: backupPath(place, at, { isEncrypted: false, isByHand }),
  at,
  isByHand,
});
const daysAgo = (days: number, hour = 0) =>
  backup(new Date(Date.UTC(2026, 10, 21 - days, 12 - hour)));

const now = daysAgo(0).at;

test("a backup is named after site, time and who asked for it", () => {
  const at = new Date("2026-11-21T23:42:07.123Z");
  expect(backupPath(place, at, { isEncrypted: true, isByHand: false })).toBe(
    "/backups/your.site-2026-11-21T23-42-07Z.jsonl.zst.age",
  );
  expect(backup(at, true).path).toBe("/backups/your.site-2026-11-21T23-42-07Z-by-hand.jsonl.zst");
});

test("a backup made by hand stays, and takes no other's place", () => {
  const byHand = backup(new Date("2026-11-21T13:00:00Z"), true);
  const mixed = [byHand, daysAgo(0), daysAgo(0, 3), backup(new Date("2020-01-01"), true)];
  expect(superseded(mixed, now)).toEqual([mixed[2]]);
});

test("the newest of seven days and of four weeks stay", () => {
  // 2026-11-21 is a Saturday: the weeks before end on the 15th, the 8th and the 1st.
  const daily = Array.from({ length: 60 }, (_, days) => daysAgo(days));
  const kept = daily.filter((each) => !superseded(daily, now).includes(each));
  expect(kept.map(({ at }) => at.toISOString().slice(0, 10))).toEqual([
    "2026-11-21",
    "2026-11-20",
    "2026-11-19",
    "2026-11-18",
    "2026-11-17",
    "2026-11-16",
    "2026-11-15",
    "2026-11-08",
    "2026-11-01",
  ]);
});

test("days without a backup do not count, and of one day the newest stays", () => {
  const rare = [daysAgo(0), daysAgo(0, 3), daysAgo(20), daysAgo(35), daysAgo(36), daysAgo(120)];
  expect(superseded(rare, now)).toEqual([rare[1]]);
});

test("backups of the future take no place: the clock was wrong", () => {
  const future = Array.from({ length: 9 }, (_, days) => daysAgo(days - 1000));
  expect(superseded([...future.toReversed(), daysAgo(0), daysAgo(1)], now)).toEqual([]);
});

test("after 35 days a backup is too old, but not the newest, and none made by hand", () => {
  const byHand = backup(new Date("2020-01-01"), true);
  const old = [daysAgo(35), daysAgo(36), daysAgo(120)];
  expect(expired([daysAgo(0), ...old, byHand], now)).toEqual(old.slice(1));
  expect(expired([...old, byHand], now)).toEqual(old.slice(1));
  expect(expired([daysAgo(120), daysAgo(200)], now)).toEqual([daysAgo(200)]);
});

test("the daily sweep deletes what is too old, also of killed backups", async () => {
  await using folder = await tempFolder();
  const here = { ...place, folder: folder.path };
  const paths = [0.01, 2, 60, 90].map((days) =>
    backupPath(here, new Date(Date.now() - days * 24 * 60 * 60_000), {
      isEncrypted: false,
      isByHand: false,
    }),
  );
  const [ofToday = "", recent = "", ...old] = paths;
  const unfinished = [ofToday, recent].map(unfinishedPath);
  for (const path of [recent, ...old, ...unfinished]) {
    await writeFile(path, "");
  }
  expect(await sweepBackups(here)).toBe(2);
  expect(await sweepBackups(here)).toBe(0);
  const left = (await readdir(folder.path)).map((name) => `${folder.path}/${name}`);
  expect(left.toSorted()).toEqual([recent, unfinishedPath(ofToday)].toSorted());
});

test("the files of a killed backup are removed, and none of a site whose name begins the same", async () => {
  await using folder = await tempFolder();
  const at = new Date("2026-11-21T23:42:07Z");
  const [own, other] = ["your.site", "your.site-8443"].map((site) => {
    const pathOf = (isEncrypted: boolean, isByHand: boolean) =>
      backupPath({ folder: folder.path, site }, at, { isEncrypted, isByHand });
    return [pathOf(false, false), pathOf(true, true)];
  }) as [string[], string[]];
  const unfinished = other.map(unfinishedPath);
  for (const path of [...own, ...own.map(unfinishedPath), ...other, ...unfinished]) {
    await writeFile(path, "");
  }
  const here = { ...place, folder: folder.path };
  await removeUnfinished(here, new Date());
  const left = (await readdir(folder.path)).map((name) => `${folder.path}/${name}`);
  expect(left.toSorted()).toEqual([...own, ...other, ...unfinished].toSorted());
  expect((await listBackups(here)).map(({ path }) => path).toSorted()).toEqual(own.toSorted());
});
