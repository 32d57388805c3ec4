import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { openApi } from "#tests/support/api.ts";
import { runCommand } from "#tests/support/command.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { signedUp } from "#tests/support/visitor.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "backups-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function start(env: Record<string, string>): Promise<RunningSite> {
  const site = await startSite(env);
  onTestFinished(() => site.stop());
  return site;
}

/** An account that owns the inbox, and one that does not. */
async function signUpTwo(site: RunningSite) {
  const [owner, other] = [await signedUp(site), await signedUp(site)];
  await (await openApi(site)).claim(owner.session().access_token);
  return { owner, other };
}

test("the first backup follows the start, and only the owner sees its age", async () => {
  const site = await start({ BACKUP_DIR: folder });
  const { owner, other } = await signUpTwo(site);
  const health = async (headers: Record<string, string> = {}) =>
    (await fetch(`${site.url}/healthz`, { headers })).json();
  const age = async () => (await health()).lastBackup.ageSeconds;
  await expect.poll(age, { timeout: 50_000 }).toBeLessThan(60);
  expect(await readdir(folder)).toEqual([expect.stringMatching(/\.tar\.zst$/)]);

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
  const inTheWay = join(folder, "file");
  await writeFile(inTheWay, "");
  const BACKUP_DIR = join(inTheWay, "backups");
  const site = await start({ BACKUP_DIR });
  const { owner, other } = await signUpTwo(site);
  const fault = "تعذّرت النسخة الاحتياطية الأخيرة: لا تمكن الكتابة في مجلد النسخ.";
  const board = async () => (await owner.get("/admin")).text;
  await expect.poll(board, { timeout: 50_000 }).toContain(fault);
  expect((await owner.get("/account")).text).toContain(fault);
  expect((await other.get("/admin")).text).not.toContain(fault);
  await rm(inTheWay);
  const PORT = new URL(site.url).port;
  const byHand = await runCommand("backup", { DATA_DIR: site.dataDir, BACKUP_DIR, PORT });
  expect([byHand.code, byHand.errors]).toEqual([0, ""]);
  expect(await board()).not.toContain(fault);
  expect(site.output()).toMatch(/The nightly backup failed reason="The backup could not/);
});
