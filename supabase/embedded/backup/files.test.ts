import { expect, test } from "vitest";
import { backupPath, superseded } from "./files.ts";

const place = { folder: "/backups", site: "your.site" };
const backup = (at: Date) => ({ path: backupPath(place, at, false), at });
const daysAgo = (days: number, hour = 0) =>
  backup(new Date(Date.UTC(2026, 10, 21 - days, 12 - hour)));

test("a backup is named after site and time", () => {
  const at = new Date("2026-11-21T23:42:07.123Z");
  expect(backupPath(place, at, true)).toBe("/backups/your.site-2026-11-21T23-42-07Z.tar.zst.age");
});

test("the newest of seven days and of four weeks stay", () => {
  // 2026-11-21 is a Saturday: the weeks before end on the 15th, the 8th and the 1st.
  const daily = Array.from({ length: 60 }, (_, days) => daysAgo(days));
  const kept = daily.filter((each) => !superseded(daily).includes(each));
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
  const rare = [daysAgo(0), daysAgo(0, 3), daysAgo(40), daysAgo(80), daysAgo(120)];
  expect(superseded(rare)).toEqual([rare[1]]);
});
