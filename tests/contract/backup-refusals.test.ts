import { execFileSync } from "node:child_process";
import { chown, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRoot } from "embedded-supabase/testing";
import { expect, onTestFinished, test } from "vitest";
import { useBackups } from "#tests/support/backups.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { storedMessages } from "#tests/support/engine.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const { folder, settings, makeBackup } = useBackups();

test("a backup is restored only to an empty folder", async () => {
  const file = await makeBackup();
  const { DATA_DIR } = settings();
  const full = await runCommand("restore", { DATA_DIR }, { args: [file] });
  expect(full.errors).toContain("is not empty");
  const server = await startTestServer({ dataDir: DATA_DIR });
  onTestFinished(() => server.close());
  const inUse = await runCommand("restore", { DATA_DIR }, { args: [file] });
  expect(inUse.errors).toContain("Another site is already running");
  const elsewhere = { DATA_DIR: join(folder.path, "elsewhere") };
  const none = await runCommand("restore", elsewhere, { args: [join(folder.path, "none")] });
  expect(none.errors).toContain("cannot be read: ENOENT");
});

test("no site starts on an unfinished restore, and the next restore starts over", async () => {
  const file = await makeBackup();
  const DATA_DIR = join(folder.path, "elsewhere");
  await mkdir(join(DATA_DIR, "restoring/database"), { recursive: true });
  await writeFile(join(DATA_DIR, "keys.json"), "{}");
  await expect(startTestServer({ dataDir: DATA_DIR })).rejects.toThrow("was not finished");
  expect((await runCommand("restore", { DATA_DIR }, { args: [file] })).errors).toBe("");
  expect(await storedMessages(DATA_DIR)).toEqual(["kept"]);
});

test("a data folder of another PostgreSQL version is refused with a one-line error", async () => {
  await makeBackup();
  const { DATA_DIR } = settings();
  await writeFile(join(DATA_DIR, "database/cluster/data/PG_VERSION"), "17\n");
  const { errors } = await runCommand(
    "export",
    { DATA_DIR },
    { args: [join(folder.path, "rows")] },
  );
  expect(errors).toMatch(
    /^The database in .* is of PostgreSQL 17, not 18\. Another version of the site made it\. Run npm run backup .*\n$/,
  );
});

test("the night's backup says which it replaces, and leaves one made by hand", async () => {
  const byHand = await makeBackup();
  const night = () => runCommand("backup", settings(), { args: ["--nightly"] });
  const first = await night();
  expect(first.output).not.toContain("removed");
  // The name of a backup has its second, and a quick machine makes two in one.
  await sleep(1000);
  const second = await night();
  const [, path] = /^(\S+) is complete and verified/.exec(first.output) ?? [];
  expect(second.output).toContain(`${path} was removed, newer ones take its place.\n`);
  const names = await readdir(settings().BACKUP_DIR);
  expect(names).toHaveLength(2);
  const input = "update private.clock set trusted_at = now() - interval '3 years'";
  await runCommand("sql", settings(), { input });
  expect((await night()).output).not.toContain("removed");
  expect(byHand).toMatch(/-by-hand\.jsonl\.zst$/);
  expect(names.map((name) => join(settings().BACKUP_DIR, name))).toContain(byHand);
});

test.runIf(isRoot)(
  "root's restore and backup give the files to the owner of the folder",
  async () => {
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

    const { BACKUP_DIR } = settings();
    await chown(BACKUP_DIR, nobody, nobody);
    const again = await runCommand("backup", { DATA_DIR, BACKUP_DIR });
    const [, path = ""] = /^(\S+) is complete/.exec(again.output) ?? [];
    expect((await stat(path)).uid).toBe(nobody);
  },
);

test("a failed backup reports the cause and leaves no file", async () => {
  await makeBackup();
  const { DATA_DIR, BACKUP_DIR } = settings();
  const inTheWay = join(folder.path, "file");
  await writeFile(inTheWay, "");
  const unwritable = await runCommand("backup", {
    DATA_DIR,
    BACKUP_DIR: join(inTheWay, "backups"),
  });
  expect([unwritable.code, unwritable.errors]).toEqual([4, expect.stringContaining("ENOTDIR")]);
  const unset = await runCommand("backup", { DATA_DIR });
  expect(unset.errors).toContain("Set BACKUP_DIR");
  const nothing = await runCommand("backup", { ...settings("nothing") });
  expect(nothing.errors).toContain("There is no database");

  const server = await startTestServer({ dataDir: DATA_DIR });
  onTestFinished(() => server.close());
  await withSuperuser(DATA_DIR, async (sql) => {
    // As a backup that is running holds it (transfer/back-up.ts).
    await sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(7263401)`;
      const refused = await runCommand("backup", settings());
      expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("running")]);
    });
  });
  expect((await runCommand("backup", settings())).code).toBe(0);
  // Those made by hand all stay.
  const byHand = expect.stringMatching(/^localhost-3000-.*-by-hand\.jsonl\.zst$/);
  expect(await readdir(BACKUP_DIR)).toEqual([byHand, byHand]);
});

test("a full disk is reported, and no file stays on it", async ({ skip }) => {
  await makeBackup();
  const BACKUP_DIR = join(folder.path, "small");
  await mkdir(BACKUP_DIR);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "none", BACKUP_DIR], {
      stdio: "pipe",
    });
  } catch {
    skip("only root can mount a small disk");
  }
  await writeFile(join(BACKUP_DIR, "full"), Buffer.alloc(64 * 1024));
  const { code, errors } = await runCommand("backup", { ...settings(), BACKUP_DIR });
  const left = await readdir(BACKUP_DIR);
  execFileSync("umount", [BACKUP_DIR]);
  expect([code, errors, left]).toEqual([
    3,
    `The backup could not be written to ${BACKUP_DIR}: the disk is full.\n`,
    ["full"],
  ]);
});

test("an export replaces a file when it is whole, and is not written onto a folder", async () => {
  const file = await makeBackup();
  const { DATA_DIR } = settings();
  const run = (name: string, path: string) => runCommand(name, { DATA_DIR }, { args: [path] });
  expect((await run("export", file)).output).toContain(`${file} was replaced.\n`);
  expect((await run("import", file)).errors).toBe("");
  expect((await run("export", DATA_DIR)).errors).toBe(`${DATA_DIR} is a folder: name a file.\n`);
});
