import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createClient } from "@supabase/supabase-js";
import { TOTP } from "otpauth";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import {
  childFile,
  insert,
  postmasterPid,
  storedMessages,
  useFolder,
} from "#tests/support/engine.ts";

const folder = useFolder();
const account = { email: "owner@example.com", password: "a long password" };

/** The settings of a site in the test's folder. */
const settings = (name = "data") => ({
  DATA_DIR: join(folder.path, name),
  BACKUP_DIR: join(folder.path, "backups"),
});

/** Makes a data folder with a message, and its backup; returns the backup's path. */
async function makeBackup(env: Record<string, string> = {}): Promise<string> {
  const server = await startTestServer({ dataDir: settings().DATA_DIR });
  await insert(server, "kept");
  await server.close();
  const { code, errors } = await runCommand("backup", { ...settings(), ...env });
  expect([code, errors]).toEqual([0, ""]);
  return onlyBackup();
}

async function onlyBackup(): Promise<string> {
  const names = await readdir(settings().BACKUP_DIR);
  expect(names).toHaveLength(1);
  return join(settings().BACKUP_DIR, names[0] ?? "");
}

/** Inserts messages without pause in a process of its own, and notes each that was confirmed. */
function startInserting(dataDir: string) {
  const child = spawn(process.execPath, [childFile, dataDir, "0"], {
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

test("the drill: a backup under load holds all that was confirmed before it", async () => {
  const env = { ...settings(), BACKUP_PASSPHRASE: "a long passphrase" };
  const first = await startTestServer({ dataDir: env.DATA_DIR });
  const client = createClient(first.url, first.publishableKey);
  await client.auth.signUp(account);
  const { data: enrolled } = await client.auth.mfa.enroll({ factorType: "totp" });
  const { id: factorId = "", totp } = enrolled ?? {};
  const secret = totp?.secret ?? "";
  const code = new TOTP({ secret }).generate({ timestamp: Date.now() - 30_000 });
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
  const restored = await runCommand("restore", { ...env, DATA_DIR }, { args: [file] });
  expect([restored.code, restored.errors]).toEqual([0, ""]);
  expect(restored.output).toMatch(/version 1\.\S+ of the site: 1 accounts, \d+ messages/);

  const server = await startTestServer({ dataDir: DATA_DIR });
  onTestFinished(() => server.close());
  const again = createClient(server.url, server.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const readNumbers = async () => {
    const numbers: number[] = [];
    for (let from = 0; ; from += 1000) {
      const { data } = await again
        .from("contact_messages")
        .select("message")
        .order("id")
        .range(from, from + 999);
      numbers.push(...(data ?? []).map(({ message }) => Number(message.replace("number ", ""))));
      if ((data ?? []).length < 1000) {
        return numbers;
      }
    }
  };
  expect((await again.auth.signInWithPassword(account)).error).toBeNull();
  expect(await readNumbers()).toEqual([]);
  const now = new TOTP({ secret }).generate();
  const verified = await again.auth.mfa.challengeAndVerify({ factorId, code: now });
  expect(verified.error).toBeNull();
  const stored = new Set(await readNumbers());
  expect(before.filter((number) => !stored.has(number))).toEqual([]);
}, 180_000);

test("a damaged byte is found wherever it is, and nothing is restored", async () => {
  const file = await makeBackup();
  const bytes = await readFile(file);
  const DATA_DIR = join(folder.path, "elsewhere");
  const positions = [30, bytes.length >> 1, bytes.length - 1];
  for (const position of positions) {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(position) ^ 0x10, position);
    await writeFile(file, damaged);
    const { code, errors } = await runCommand("restore", { DATA_DIR }, { args: [file] });
    expect([position, code, errors]).toEqual([position, 1, expect.stringContaining("damaged")]);
  }
  await writeFile(file, bytes.subarray(0, bytes.length - 100));
  const cut = await runCommand("restore", { DATA_DIR }, { args: [file] });
  expect([cut.code, cut.errors]).toEqual([1, expect.stringContaining("damaged")]);
  expect((await readdir(DATA_DIR)).toSorted()).toEqual([".gitignore", "site.lock"]);

  await writeFile(file, bytes);
  expect((await runCommand("restore", { DATA_DIR }, { args: [file] })).errors).toBe("");
  expect(await storedMessages(DATA_DIR)).toEqual(["kept"]);
}, 180_000);

test("a backup with a passphrase opens with it alone", async () => {
  const file = await makeBackup({ BACKUP_PASSPHRASE: "a long passphrase" });
  expect((await readFile(file)).includes("keys.json")).toBe(false);
  const DATA_DIR = join(folder.path, "elsewhere");
  const restore = (env: Record<string, string>) =>
    runCommand("restore", { DATA_DIR, ...env }, { args: [file] });
  expect((await restore({})).errors).toBe(`${file} is encrypted: set BACKUP_PASSPHRASE.\n`);
  const wrong = await restore({ BACKUP_PASSPHRASE: "another passphrase" });
  expect(wrong.errors).toBe(`BACKUP_PASSPHRASE does not open ${file}.\n`);
});

test("a backup is restored to an empty folder only", async () => {
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

test("no site starts on an unfinished restore, and the next restore begins anew", async () => {
  const file = await makeBackup();
  const DATA_DIR = join(folder.path, "elsewhere");
  await mkdir(join(DATA_DIR, "restoring/database"), { recursive: true });
  await writeFile(join(DATA_DIR, "keys.json"), "{}");
  await expect(startTestServer({ dataDir: DATA_DIR })).rejects.toThrow("was not finished");
  expect((await runCommand("restore", { DATA_DIR }, { args: [file] })).errors).toBe("");
  expect(await storedMessages(DATA_DIR)).toEqual(["kept"]);
});

test("a data folder of another PostgreSQL is refused in one sentence", async () => {
  await makeBackup();
  const { DATA_DIR } = settings();
  await writeFile(join(DATA_DIR, "database/cluster/data/PG_VERSION"), "17\n");
  await expect(startTestServer({ dataDir: DATA_DIR })).rejects.toThrow(
    /is of PostgreSQL 17, and this version of the site has 18: \.github/,
  );
});

test("a failed backup says why and leaves no file", async () => {
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

  const [first, second] = await Promise.all([
    runCommand("backup", settings()),
    runCommand("backup", settings()),
  ]);
  expect([first.code, second.code].toSorted()).toEqual([0, 1]);
  expect(first.errors + second.errors).toMatch(/running/);
  // The newest of the day stays.
  expect(await readdir(BACKUP_DIR)).toEqual([
    expect.stringMatching(/^localhost-3000-.*\.tar\.zst$/),
  ]);
});

test("a full disk is named, and no file stays on it", async ({ skip }) => {
  await makeBackup();
  const BACKUP_DIR = join(folder.path, "small");
  await mkdir(BACKUP_DIR);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=512k", "none", BACKUP_DIR], {
      stdio: "pipe",
    });
  } catch {
    skip("only root can mount a small disk");
  }
  const { code, errors } = await runCommand("backup", { ...settings(), BACKUP_DIR });
  const left = await readdir(BACKUP_DIR);
  execFileSync("umount", [BACKUP_DIR]);
  expect([code, errors, left]).toEqual([
    3,
    `The backup could not be written to ${BACKUP_DIR}: the disk is full.\n`,
    [],
  ]);
});

test("a killed backup leaves no finished file, and the next clears what it left", async () => {
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
