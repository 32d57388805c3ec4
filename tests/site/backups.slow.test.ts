import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { readCopy } from "#app/server/commands/transfer/format.ts";
import { type ClaimedSite, startClaimedSite } from "#tests/support/claimed-site.ts";
import { runCommand } from "#tests/support/command.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { receiptPath, sendForReceipt } from "#tests/support/receipts.ts";
import { startSite } from "#tests/support/site.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

// A file is in the way of the first backup, some seconds after the start.
let folder: string;
let claimed: ClaimedSite;
beforeAll(async () => {
  const made = await tempFolder();
  folder = made.path;
  await writeFile(join(folder, "file"), "");
  claimed = await startClaimedSite({ BACKUP_DIR: join(folder, "file/backups") });
  return async () => {
    await claimed.site.stop();
    await made[Symbol.asyncDispose]();
  };
});

test("a failed backup is shown on the board and on the account page, with its cause, until there is one, whose age only the owner sees", async () => {
  const { site, owner } = claimed;
  const other = await signedUp(site);
  const fault = "تعذّرت النسخة الاحتياطية الأخيرة: لا تمكن الكتابة في مجلد النسخ.";
  const board = async () => (await owner.get("/admin")).text;
  await expect.poll(board, { timeout: 50_000 }).toContain(fault);
  expect((await owner.get("/account")).text).toContain(fault);
  expect((await other.get("/admin")).text).not.toContain(fault);
  expect(site.output()).toMatch(/The nightly backup failed reason="No backup can be written/);
  await rm(join(folder, "file"));
  await mkdir(join(folder, "file"));
  const BACKUP_DIR = join(folder, "file/backups");
  const PORT = new URL(site.url).port;
  const byHand = await runCommand("backup", { DATA_DIR: site.dataDir, BACKUP_DIR, PORT });
  expect(byHand.errors).toBe("");
  expect(await board()).not.toContain(fault);

  const health = async (headers: Record<string, string> = {}) =>
    (await fetch(`${site.url}/healthz`, { headers })).json();
  const { lastBackup } = await health();
  expect(lastBackup).toMatchObject({ failed: false });
  expect(lastBackup.ageSeconds).toBeLessThan(60);
  expect(await health({ "X-Forwarded-For": "192.0.2.1" })).toEqual({
    process: "ok",
    database: "ok",
  });
  const { text } = await owner.get("/account");
  expect(text).toContain(`<time dateTime="${lastBackup.time}">`);
  expect(text).toMatch(/آخر نسخة قبل دقيقة/);
  expect(await board()).not.toContain("النسخ الاحتياطي");
  expect((await other.get("/account")).text).not.toContain("النسخ الاحتياطي");
});

test("a sealed backup needs its passphrase, and after its restore a session goes on, and a receipt opens by its old link", async () => {
  const { site, owner } = claimed;
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
  await expect(readCopy(file, undefined)).rejects.toThrow("is encrypted: set BACKUP_PASSPHRASE.");
  await expect(readCopy(file, "another passphrase")).rejects.toThrow("does not open");
  const { errors } = await runCommand("restore", { DATA_DIR, BACKUP_PASSPHRASE }, { args: [file] });
  expect(errors).toBe("");
  const restored = await startSite({ DATA_DIR });
  onTestFinished(() => restored.stop());
  const visitor = new Visitor(restored);
  expect((await visitor.get(receiptPath(receipt))).text).toContain("رسالة قبل النسخة");
  owner.cookies.forEach((value, name) => visitor.cookies.set(name, value));
  expect((await visitor.get("/admin")).text).toContain("رسالة قبل النسخة");
});
