import { readdir, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { timeZone } from "#app/content/owner.ts";
import { useFolder } from "#tests/support/use-folder.ts";
import { backupPath, dayOf, listBackups, sweepBackups } from "./backup-files.ts";

const folder = useFolder();
const place = () => ({ folder: folder.path, site: "your.site" });
// One moment for all: a backup of an age has one name.
const now = Date.now();
const daysAgo = (days: number) => new Date(now - days * 24 * 60 * 60_000);

/** Returns the path of a backup of an age in days. */
function pathOf(days: number, { site = "your.site", isEncrypted = false } = {}) {
  return backupPath({ folder: folder.path, site }, daysAgo(days), { isEncrypted });
}

/** Sweeps a folder of these files, the first of which was just made. Returns what is left of them. */
async function swept(made: string, ...others: string[]) {
  for (const path of [made, ...others]) {
    await writeFile(path, "");
  }
  const count = await sweepBackups(place(), made);
  return { count, left: new Set(await readdir(folder.path)) };
}

const named = (...paths: string[]) => new Set(paths.map((path) => basename(path)));
const each = (count: number, first: number) =>
  Array.from({ length: count }, (_, index) => pathOf(first + index));

test("a backup is named after site and moment", () => {
  const at = new Date("2026-11-21T23:42:07.123Z");
  const backups = { folder: "/backups", site: "your.site" };
  const name = "/backups/your.site-2026-11-21T23-42-07.123Z.jsonl.zst";
  expect(backupPath(backups, at, {})).toBe(name);
  expect(backupPath(backups, at, { isEncrypted: true })).toBe(`${name}.age`);
});

test("of the 35 newest days the last backup of each stays, all of the newest, and all of a site named alike", async () => {
  const [made = "", ...days] = each(36, 0);
  const oldest = days.pop() ?? "";
  const alike = pathOf(60, { site: "your.site-8443" });
  const earlier = backupPath(place(), new Date(daysAgo(3).getTime() - 1), { isEncrypted: true });
  const before = backupPath(place(), new Date(daysAgo(0).getTime() - 1), {});
  expect(await swept(made, ...days, oldest, alike, earlier, before)).toEqual({
    count: 2,
    left: named(made, ...days, alike, before),
  });
});

test("days without a backup do not count, so none is too old for its age alone", async () => {
  const paths = [pathOf(60), pathOf(90), pathOf(400)] as const;
  expect(await swept(...paths)).toEqual({ count: 0, left: named(...paths) });
});

test("a clock that is ahead for a day costs the oldest day, and one that is behind nothing", async () => {
  const days = each(35, 1);
  const ahead = pathOf(-1000);
  expect((await swept(ahead, ...days)).left).toEqual(named(ahead, ...days.slice(0, -1)));
  const behind = pathOf(3650);
  expect(await swept(behind, ...days.slice(0, -1))).toEqual({
    count: 0,
    left: named(behind, ahead, ...days.slice(0, -1)),
  });
});

test("a day begins at three o'clock in the owner's time zone", () => {
  const hour = new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" });
  const start = Date.UTC(2026, 10, 21);
  const times = Array.from({ length: 200 }, (_, index) => new Date(start + index * 15 * 60_000));
  const first = times.find((at, index) => index > 0 && dayOf(at) !== dayOf(times[index - 1] ?? at));
  expect(hour.format(first)).toBe("03");
});

test("what a killed backup left is deleted after a day, and is no backup before", async () => {
  const [running, killed] = [`${pathOf(0.9)}.new`, `${pathOf(1.1)}.new`];
  const alike = `${pathOf(2, { site: "your.site-8443" })}.new`;
  const ahead = `${pathOf(-1000)}.new`;
  const made = pathOf(0);
  const { left } = await swept(made, running, killed, alike, ahead);
  expect(left).toEqual(named(made, running, alike));
  expect((await listBackups(place())).map(({ path }) => path)).toEqual([made]);
});
