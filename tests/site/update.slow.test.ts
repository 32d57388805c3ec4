import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "#package.json" with { type: "json" };
import { copyCluster } from "#tests/support/cluster-template.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { storedMessages } from "#tests/support/engine.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { storeMessages } from "#tests/support/messages.ts";
import { copyProject } from "#tests/support/project-copy.ts";
import { freePort, startSite } from "#tests/support/site.ts";
import { root, spawnServer } from "#tests/support/spawn-server.ts";
import { useFolder } from "#tests/support/use-folder.ts";

const folder = useFolder();
const next = "29990101000000_next.sql";
const broken = "29990102000000_broken.sql";
/** A data folder of this version, with a message. */
const made = await tempFolder();
const madeData = join(made.path, "data");
/** The version after this one, with a migration more. */
let newer: string;
const migration = (name: string) => join(newer, "supabase/migrations", name);
beforeAll(async () => {
  newer = await copyProject();
  await cp(join(root, "build"), join(newer, "build"), { recursive: true });
  await writeFile(migration(next), "create table private.next (id int primary key)");
  await copyCluster(madeData);
  const server = await startTestServer({ dataDir: madeData });
  await storeMessages(madeData, [{ name: "n", email: "a@b.co", message: "kept" }]);
  await server.close();
});
afterAll(async () => {
  await rm(newer, { recursive: true });
  await made[Symbol.asyncDispose]();
});

const settings = () => ({
  DATA_DIR: join(folder.path, "data"),
  BACKUP_DIR: join(folder.path, "backups"),
});

/** Makes a data folder of this version. */
const makeData = () => execFileSync("cp", ["-a", madeData, settings().DATA_DIR]);

/** Updates the data folder to the newer version. Returns what the start printed. */
async function update(env = {}): Promise<string> {
  const site = await startSite({ ...settings(), ...env }, undefined, [], newer);
  const output = site.output();
  await site.stop();
  return output;
}

/** Starts what should refuse. Returns what it printed. */
async function refused(project: string, env = {}): Promise<string> {
  const all = { ...settings(), PORT: String(await freePort()), ...env };
  const server = spawnServer(all, undefined, project);
  const isReady = await server.isReady;
  await server.end("SIGTERM");
  expect(isReady).toBe(false);
  return server.output();
}

test("an older folder is backed up and migrated, and refused by the version before, with the way out", async () => {
  makeData();
  const output = await update();
  const [, backup = ""] = /said="(\S+) is complete and verified/.exec(output) ?? [];
  expect(output.indexOf(backup)).toBeLessThan(output.indexOf(`A migration ran file=${next}`));
  expect(output.match(/A migration ran/g)).toHaveLength(1);
  expect(await readdir(settings().BACKUP_DIR)).toHaveLength(1);

  const fault = `This database has the migration ${next}, but the file is missing.`;
  const printed = await refused(root);
  expect(printed).toContain(`${fault} Another version of the site made it`);
  expect(printed).toMatch(/install that version.*npm run restore -- FILE.*\n$/);
  // And so are its copies.
  const BACKUP_DIR = join(folder.path, "newer");
  const command = ["app/server/commands/backup.ts"];
  const { child } = spawnServer({ ...settings(), BACKUP_DIR }, command, newer);
  await once(child, "close");
  const [file = ""] = await readdir(BACKUP_DIR);
  const DATA_DIR = join(folder.path, "restored");
  const { errors } = await runCommand("restore", { DATA_DIR }, { args: [join(BACKUP_DIR, file)] });
  expect(errors).toContain(
    `made by a newer version of the site (${manifest.version}): install that version.`,
  );
  // Whatever else the other version does otherwise.
  await writeFile(join(settings().DATA_DIR, "keys.json"), "{}");
  expect(await refused(root)).toContain(fault);
});

test("without a backup nothing is migrated, starts that fail again and again make one, and an update after others makes the next", async () => {
  makeData();
  await writeFile(join(folder.path, "file"), "");
  expect(await refused(newer, { BACKUP_DIR: join(folder.path, "file/backups") })).toMatch(
    /error No backup can be written to the folder of BACKUP_DIR: ENOTDIR.*unset BACKUP_DIR to update without a backup\.\n$/,
  );
  await writeFile(migration(broken), "select 1 / 0");
  // The names of backups have it.
  const PORT = String(await freePort());
  for (let start = 0; start < 2; start += 1) {
    const printed = await refused(newer, { PORT });
    expect(printed).toContain(`The migration ${broken} failed: division by zero`);
    expect(printed).not.toContain("A migration ran");
  }
  expect(await readdir(settings().BACKUP_DIR)).toHaveLength(1);

  // Nothing of the update is left: the site before it runs again, and takes a message.
  const back = await startSite({ ...settings(), PORT });
  expect(back.output()).not.toContain("migration");
  await storeMessages(settings().DATA_DIR, [{ name: "n", email: "a@b.co", message: "later" }]);
  await back.stop();
  await rm(migration(broken));
  await update({ PORT });
  const [, last = ""] = (await readdir(settings().BACKUP_DIR)).toSorted();
  const file = join(settings().BACKUP_DIR, last);
  const DATA_DIR = join(folder.path, "back");
  expect((await runCommand("restore", { DATA_DIR }, { args: [file] })).errors).toBe("");
  expect(await storedMessages(DATA_DIR)).toEqual(["kept", "later"]);
});
