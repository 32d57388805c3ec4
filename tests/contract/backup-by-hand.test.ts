import { chown, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useBackups } from "#tests/support/backups.ts";
import { runCommand } from "#tests/support/command.ts";

const { settings, makeBackup } = useBackups();

test("the night's backup says which it replaces, and leaves one made by hand", async () => {
  const byHand = await makeBackup();
  const night = () => runCommand("backup", settings(), { args: ["--nightly"] });
  const first = await night();
  expect(first.output).not.toContain("removed");
  const second = await night();
  const [, path] = /^(\S+) is complete and verified/.exec(first.output) ?? [];
  expect(second.output).toContain(`${path} was removed, newer ones take its place.\n`);
  const names = await readdir(settings().BACKUP_DIR);
  expect(names).toHaveLength(2);
  expect(byHand).toMatch(/-by-hand\.tar\.zst$/);
  expect(names.map((name) => join(settings().BACKUP_DIR, name))).toContain(byHand);
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) {
  console.info("Skipped: a restore by root needs root.");
}

test.runIf(isRoot)("root's restore gives the files to the owner of the folder", async () => {
  const nobody = 65_534;
  const file = await makeBackup();
  const { DATA_DIR } = settings("restored");
  await mkdir(DATA_DIR, { mode: 0o700 });
  await chown(DATA_DIR, nobody, nobody);
  const { code, errors } = await runCommand("restore", { DATA_DIR }, { args: [file] });
  expect([code, errors]).toEqual([0, ""]);
  const owners = new Set<number>();
  for (const name of await readdir(DATA_DIR, { recursive: true })) {
    const { uid, gid } = await stat(join(DATA_DIR, name));
    owners.add(uid).add(gid);
  }
  expect(Array.from(owners)).toEqual([nobody]);
});
