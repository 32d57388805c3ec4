import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { isRoot } from "embedded-supabase/testing";
import { expect, onTestFinished, test } from "vitest";
import { faultIn } from "#app/server/backups/nightly.ts";
import { useBackups } from "#tests/support/backups.ts";
import { runCommand } from "#tests/support/command.ts";

const { folder, settings, makeBackup } = useBackups();

test("a backup is restored only into an empty folder, and a command that fails says why", async () => {
  const file = await makeBackup();
  const restored = await runCommand("restore", { DATA_DIR: settings().DATA_DIR }, { args: [file] });
  expect(restored.errors).toContain("is not empty");
  const unset = await runCommand("backup", { DATA_DIR: settings().DATA_DIR });
  expect([unset.code, unset.errors]).toEqual([1, expect.stringContaining("Set BACKUP_DIR")]);
  const BACKUP_DIR = join(folder.path, "no/such/folder");
  const unwritable = await runCommand("backup", { ...settings(), BACKUP_DIR });
  expect([unwritable.code, unwritable.errors]).toEqual([
    1,
    expect.stringMatching(/^No backup can be written .*ENOENT[^\n]*\n$/),
  ]);
});

test("a data folder of another PostgreSQL version is refused with a one-line error", async () => {
  await makeBackup();
  const { DATA_DIR } = settings();
  await writeFile(join(DATA_DIR, "database/cluster/data/PG_VERSION"), "17\n");
  const refused = await runCommand("backup", settings());
  expect(refused.errors).toMatch(
    /^The database in [^.]+ is of PostgreSQL 17, not 18: run npm run backup [^.]+, then npm run restore [^.]+\.\n$/,
  );
});

test("a hosted database without TLS is named, with what to add to its address", async () => {
  // The answer of a PostgreSQL without it to the request for TLS.
  const server = createServer((socket) => socket.once("data", () => socket.end("N")));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { code, errors } = await runCommand("backup", {
    ...settings(),
    SUPABASE_URL: "https://own.example",
    SUPABASE_DB_URL: `postgresql://postgres:secret@127.0.0.1:${port}/postgres`,
  });
  expect([code, errors]).toEqual([
    1,
    expect.stringMatching(/not support SSL.*\. Add \?sslmode=disable to SUPABASE_DB_URL, if /),
  ]);
});

test.runIf(isRoot)(
  "root's restore and backup give the files to the owner of the folder",
  async () => {
    const nobody = 65_534;
    const file = await makeBackup();
    const { DATA_DIR } = settings("restored");
    await mkdir(DATA_DIR, { mode: 0o700 });
    await chown(DATA_DIR, nobody, nobody);
    // That owner may have put a link there, to what is not theirs.
    const roots = join(folder.path, "roots");
    await mkdir(roots);
    await writeFile(join(roots, "file"), "");
    await symlink(roots, join(DATA_DIR, "lost+found"));
    const { code, errors } = await runCommand("restore", { DATA_DIR }, { args: [file] });
    expect([code, errors]).toEqual([0, ""]);
    expect((await stat(join(roots, "file"))).uid).toBe(0);
    await rm(join(DATA_DIR, "lost+found"));
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
  expect([code, faultIn(errors), left]).toEqual([1, "full", ["full"]]);
  expect(errors).toMatch(/^The backup could not be written to \S+: ENOSPC: no space left .*\n$/);
});
