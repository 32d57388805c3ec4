import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { type ClaimedSite, startClaimedSite } from "#tests/support/claimed-site.ts";
import { runCommand } from "#tests/support/command.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { receiptPath, sendForReceipt } from "#tests/support/receipts.ts";
import { startSite } from "#tests/support/site.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

// Both make their first backup some seconds after the start.
let folder: string;
let right: ClaimedSite;
let wrong: ClaimedSite;
beforeAll(async () => {
  const made = await tempFolder();
  folder = made.path;
  await writeFile(join(folder, "file"), "");
  [right, wrong] = await Promise.all([
    startClaimedSite({ BACKUP_DIR: join(folder, "backups") }),
    startClaimedSite({ BACKUP_DIR: join(folder, "file/backups") }),
  ]);
  return async () => {
    await Promise.all([right.site.stop(), wrong.site.stop()]);
    await made[Symbol.asyncDispose]();
  };
});

const patience = { timeout: 50_000 };

test("the first backup follows the start, and only the owner sees its age", async () => {
  const { site, owner } = right;
  const other = await signedUp(site);
  const health = async (headers: Record<string, string> = {}) =>
    (await fetch(`${site.url}/healthz`, { headers })).json();
  const age = async () => (await health()).lastBackup.ageSeconds;
  await expect.poll(age, patience).toBeLessThan(60);
  expect(await readdir(join(folder, "backups"))).toEqual([expect.stringMatching(/\.jsonl\.zst$/)]);

  const { lastBackup } = await health();
  expect(lastBackup).toMatchObject({ failed: false });
  expect(await health({ "X-Forwarded-For": "192.0.2.1" })).toEqual({
    process: "ok",
    database: "ok",
  });

  const { text } = await owner.get("/account");
  expect(text).toContain(`<time dateTime="${lastBackup.time}">`);
  expect(text).toMatch(/آخر نسخة قبل دقيقة/);
  expect((await owner.get("/admin")).text).not.toContain("النسخ الاحتياطي");
  expect((await other.get("/account")).text).not.toContain("النسخ الاحتياطي");
});

test("a failed backup is shown on the board and on the account page, with its cause", async () => {
  const { site, owner } = wrong;
  const other = await signedUp(site);
  const fault = "تعذّرت النسخة الاحتياطية الأخيرة: لا تمكن الكتابة في مجلد النسخ.";
  const board = async () => (await owner.get("/admin")).text;
  await expect.poll(board, patience).toContain(fault);
  expect((await owner.get("/account")).text).toContain(fault);
  expect((await other.get("/admin")).text).not.toContain(fault);
  await rm(join(folder, "file"));
  await mkdir(join(folder, "file"));
  const BACKUP_DIR = join(folder, "file/backups");
  const PORT = new URL(site.url).port;
  const byHand = await runCommand("backup", { DATA_DIR: site.dataDir, BACKUP_DIR, PORT });
  expect(byHand.errors).toBe("");
  expect(await board()).not.toContain(fault);
  await expect
    .poll(() => site.output())
    .toMatch(/The nightly backup failed reason="No backup can be written/);
});

test("a sealed backup needs its passphrase, and after its restore a session goes on, and a receipt opens by its old link", async () => {
  const { site, owner } = right;
  const receipt = await sendForReceipt(site, "رسالة قبل النسخة");
  const BACKUP_DIR = join(folder, "moved");
  const BACKUP_PASSPHRASE = "a long passphrase";
  const made = await runCommand("backup", {
    DATA_DIR: site.dataDir,
    BACKUP_DIR,
    BACKUP_PASSPHRASE,
  });
  const [, file = ""] = /^(\S+) is complete/.exec(made.output) ?? [];
  const DATA_DIR = join(folder, "restored");
  expect((await readFile(file)).includes("contact_messages")).toBe(false);
  const restore = (env: object) =>
    runCommand("restore", { DATA_DIR, ...env }, { args: [file] }).then(({ errors }) => errors);
  expect(await restore({})).toContain("is encrypted: set BACKUP_PASSPHRASE.");
  const another = { BACKUP_PASSPHRASE: "another passphrase" };
  expect(await restore(another)).toContain("BACKUP_PASSPHRASE does not open");
  expect(await restore({ BACKUP_PASSPHRASE })).toBe("");
  const restored = await startSite({ DATA_DIR });
  onTestFinished(() => restored.stop());
  const visitor = new Visitor(restored);
  expect((await visitor.get(receiptPath(receipt))).text).toContain("رسالة قبل النسخة");
  owner.cookies.forEach((value, name) => visitor.cookies.set(name, value));
  expect((await visitor.get("/admin")).text).toContain("رسالة قبل النسخة");
});
