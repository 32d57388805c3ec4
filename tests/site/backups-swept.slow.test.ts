import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { backupPath } from "#app/server/backups/backup-files.ts";
import { runCommand } from "#tests/support/command.ts";
import { fill } from "#tests/support/filled-database.ts";
import { startOutside } from "#tests/support/outside.ts";
import { startSite } from "#tests/support/site.ts";
import { databaseUrl } from "#tests/support/superuser.ts";
import { useFolder } from "#tests/support/use-folder.ts";

const folder = useFolder();
// The first sweep and the first backup follow the start by ten seconds.
const patience = { timeout: 50_000 };

test("a nightly backup deletes the oldest, and old mails are deleted", async () => {
  const BACKUP_DIR = join(folder.path, "backups");
  await mkdir(BACKUP_DIR);
  const pathAt = (daysAgo: number) => {
    const at = new Date(Date.now() - daysAgo * 24 * 60 * 60_000);
    return backupPath({ folder: BACKUP_DIR, site: "your.site" }, at, {});
  };
  const days = Array.from({ length: 35 }, (_, index) => pathAt(index + 1));
  // The clock was ahead: it is no backup of today.
  const ahead = pathAt(-1000);
  for (const path of [...days, ahead]) {
    await writeFile(path, "");
  }
  const site = await startSite({ BACKUP_DIR, SITE_URL: "https://your.site" });
  onTestFinished(() => site.stop());
  const mails = join(site.dataDir, "mails");
  await mkdir(mails);
  for (const [name, daysAgo] of [["old.eml", 31] as const, ["new.eml", 29] as const]) {
    await writeFile(join(mails, name), "");
    const at = Date.now() / 1000 - daysAgo * 24 * 60 * 60;
    await utimes(join(mails, name), at, at);
  }
  await expect.poll(() => site.output(), patience).toContain("The nightly backup is complete");
  await expect.poll(() => readdir(mails), patience).toEqual(["new.eml"]);
  const left = await readdir(BACKUP_DIR);
  expect(left).toHaveLength(35);
  expect(left).toEqual(
    expect.arrayContaining([ahead, ...days.slice(0, 33)].map((path) => basename(path))),
  );
});

test("a hosted Supabase is backed up each night, and the file restores elsewhere", async () => {
  const outside = await startOutside();
  onTestFinished(() => outside.close());
  await fill(outside.supabase);
  const BACKUP_DIR = join(folder.path, "backups");
  const SUPABASE_DB_URL = await databaseUrl(outside.supabase.dataDir);
  const site = await startSite({ ...outside.env, SUPABASE_DB_URL, BACKUP_DIR });
  onTestFinished(() => site.stop());
  const health = async () => (await fetch(`${site.url}/healthz`)).json();
  const made = { lastBackup: { time: expect.any(String), failed: false } };
  await expect.poll(health, patience).toMatchObject(made);
  const [name = ""] = await readdir(BACKUP_DIR);
  const DATA_DIR = join(folder.path, "embedded");
  const restored = await runCommand("restore", { DATA_DIR }, { args: [join(BACKUP_DIR, name)] });
  expect(restored.errors).toBe("");
  expect(restored.output).toContain("public.contact_messages: 6 of 6 rows restored");
  expect(restored.output).toContain("these have none: owner@example.com.");
});
