import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createClient } from "@supabase/supabase-js";
import { TOTP } from "otpauth";
import { expect, onTestFinished, test } from "vitest";
import { readArchive, writeArchive } from "#embedded/backup/archive.ts";
import { dataFolder, postgresManifest } from "#embedded/backup/contents.ts";
import { useBackups } from "#tests/support/backups.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { childFile, postmasterPid, storedMessages } from "#tests/support/engine.ts";
import { readMessages } from "#tests/support/messages.ts";
import { prove } from "#tests/support/prove.ts";

const { folder, settings, makeBackup, onlyBackup } = useBackups();
const account = { email: "owner@example.com", password: "a long password" };

/** Inserts messages without pause in a process of its own, and records each confirmed one. */
function startInserting(dataDir: string) {
  const child = spawn(process.execPath, [childFile, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const confirmed: number[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (/^\d+$/.test(line)) {
      confirmed.push(Number(line));
    }
  });
  return { child, confirmed };
}

test("a backup under load holds all messages confirmed before it, and opens only with its passphrase", async () => {
  const env = { ...settings(), BACKUP_PASSPHRASE: "a long passphrase" };
  const first = await startTestServer({ dataDir: env.DATA_DIR });
  const client = createClient(first.url, first.publishableKey);
  const { data: signedUp } = await client.auth.signUp(account);
  await prove(first, signedUp.session?.access_token ?? "");
  const { data: enrolled } = await client.auth.mfa.enroll({ factorType: "totp" });
  const { id: factorId = "", totp } = enrolled ?? {};
  const secret = totp?.secret ?? "";
  const code = new TOTP({ secret }).generate();
  const used = await client.auth.mfa.challengeAndVerify({ factorId, code });
  expect(used.error).toBeNull();
  await client.auth.stopAutoRefresh();
  await first.close();

  const { child, confirmed } = startInserting(env.DATA_DIR);
  await expect.poll(() => confirmed.length, { timeout: 30_000 }).toBeGreaterThan(100);
  const before = [...confirmed];
  const made = await runCommand("backup", env);
  expect([made.code, made.errors]).toEqual([0, ""]);
  expect(confirmed.length).toBeGreaterThan(before.length);
  process.kill(await postmasterPid(env.DATA_DIR), "SIGKILL");
  child.kill("SIGKILL");
  await once(child, "close");

  const file = await onlyBackup();
  const DATA_DIR = join(folder.path, "elsewhere");
  expect((await readFile(file)).includes("keys.json")).toBe(false);
  const restore = (passphrase: Record<string, string>) =>
    runCommand("restore", { DATA_DIR, ...passphrase }, { args: [file] });
  expect((await restore({})).errors).toBe(`${file} is encrypted: set BACKUP_PASSPHRASE.\n`);
  const wrong = await restore({ BACKUP_PASSPHRASE: "another passphrase" });
  expect(wrong.errors).toBe(`BACKUP_PASSPHRASE does not open ${file}.\n`);
  const restored = await restore({ BACKUP_PASSPHRASE: env.BACKUP_PASSPHRASE });
  expect([restored.code, restored.errors]).toEqual([0, ""]);
  expect(restored.output).toMatch(/version 1\.\S+ of the site: 1 accounts, \d+ messages/);

  const server = await startTestServer({ dataDir: DATA_DIR });
  onTestFinished(() => server.close());
  const again = createClient(server.url, server.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const mayRead = async () => (await again.rpc("inbox_state")).data?.may_read;
  expect((await again.auth.signInWithPassword(account)).error).toBeNull();
  expect(await mayRead()).toBe(false);
  const next = new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 });
  const verified = await again.auth.mfa.challengeAndVerify({ factorId, code: next });
  expect(verified.error).toBeNull();
  expect(await mayRead()).toBe(true);
  const messages = await readMessages(DATA_DIR);
  const stored = new Set(messages.map(({ message }) => Number(message.replace("number ", ""))));
  expect(before.filter((number) => !stored.has(number))).toEqual([]);
}, 180_000);

test("a damaged byte or a missing end is detected, and nothing is restored", async () => {
  const file = await makeBackup();
  const bytes = await readFile(file);
  const DATA_DIR = join(folder.path, "elsewhere");
  // Of a small backup each byte is tried, in archive.test.ts.
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(bytes.length >> 1) ^ 0x10, bytes.length >> 1);
  await writeFile(file, changed);
  const damaged = await runCommand("restore", { DATA_DIR }, { args: [file] });
  expect([damaged.code, damaged.errors]).toEqual([1, expect.stringContaining("damaged")]);
  await writeFile(file, bytes.subarray(0, bytes.length - 100));
  const cut = await runCommand("restore", { DATA_DIR }, { args: [file] });
  expect([cut.code, cut.errors]).toEqual([1, expect.stringContaining("damaged")]);
  expect((await readdir(DATA_DIR)).toSorted()).toEqual([".gitignore", "site.lock"]);

  await writeFile(file, bytes);
  expect((await runCommand("restore", { DATA_DIR }, { args: [file] })).errors).toBe("");
  expect(await storedMessages(DATA_DIR)).toEqual(["kept"]);
}, 180_000);

test("a killed backup leaves no finished file, and the next one removes its leftovers", async () => {
  const older = await makeBackup();
  const { BACKUP_DIR } = settings();
  const child = spawn(process.execPath, ["app/server/commands/backup.ts"], {
    cwd: new URL("../..", import.meta.url).pathname,
    env: { ...process.env, ...settings() },
    stdio: "ignore",
  });
  const unfinished = async () =>
    (await readdir(BACKUP_DIR)).filter((name) => name.endsWith(".new"));
  await expect.poll(unfinished, { interval: 2, timeout: 30_000 }).toHaveLength(1);
  child.kill("SIGKILL");
  await once(child, "close");
  expect((await readdir(BACKUP_DIR)).filter((name) => name.endsWith("zst"))).toEqual([
    older.slice(BACKUP_DIR.length + 1),
  ]);
  expect((await runCommand("backup", settings())).errors).toBe("");
  expect(await unfinished()).toEqual([]);
});

/** Writes a copy of a backup with other files of the database, all its checksums right. */
async function forge(file: string, files: Record<string, string>): Promise<string> {
  const forged = `${file}.forged`;
  const entries = new Map<string, Buffer>();
  await readArchive(file, undefined, async ({ path, body }) => {
    entries.set(path, await buffer(body));
  });
  const manifest = JSON.parse(entries.get(postgresManifest)?.toString() ?? "") as {
    Files: { Path: string; Checksum: string; "Checksum-Algorithm": string }[];
  };
  for (const [name, text] of Object.entries(files)) {
    entries.set(dataFolder + name, Buffer.from(text));
    const Checksum = createHash("sha256").update(text).digest("hex");
    manifest.Files = manifest.Files.filter(({ Path }) => Path !== name);
    manifest.Files.push({ Path: name, Checksum, "Checksum-Algorithm": "SHA256" });
  }
  entries.set(postgresManifest, Buffer.from(JSON.stringify(manifest)));
  await writeArchive(forged, undefined, async (add) => {
    for (const [path, bytes] of entries) {
      await add({
        path,
        size: bytes.length,
        body: Readable.from(path.endsWith("/") ? [] : [bytes]),
      });
    }
  });
  return forged;
}

test("a restored database has none of the backup's configuration", async () => {
  const command = "archive_mode = on\narchive_command = 'touch ../ran'\n";
  const names = ["postgresql.auto.conf", "postgresql.conf"];
  const file = await forge(
    await makeBackup(),
    Object.fromEntries(names.map((name) => [name, command])),
  );
  const DATA_DIR = join(folder.path, "elsewhere");
  expect((await runCommand("restore", { DATA_DIR }, { args: [file] })).errors).toBe("");
  expect(await storedMessages(DATA_DIR)).toEqual(["kept"]);
  const data = join(DATA_DIR, dataFolder);
  const files = (await readdir(data)).filter((name) => name.endsWith(".conf"));
  const texts = await Promise.all(files.map((name) => readFile(join(data, name), "utf8")));
  expect(texts.join("")).not.toContain("archive_command");
  expect(await readdir(join(data, ".."))).not.toContain("ran");
});

test("a backup that would make PostgreSQL run commands is refused, and nothing is restored", async () => {
  const backup = await makeBackup();
  const DATA_DIR = join(folder.path, "elsewhere");
  for (const name of ["recovery.signal", "standby.signal", "tablespace_map"]) {
    const file = await forge(backup, { [name]: "" });
    const { code, errors } = await runCommand("restore", { DATA_DIR }, { args: [file] });
    expect([code, errors]).toEqual([1, expect.stringContaining("an unexpected path")]);
    expect(await readdir(DATA_DIR)).not.toContain("database");
    await rm(file);
  }
}, 180_000);
