import { join } from "node:path";
import { option, record, sample, string } from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import manifest from "#package.json" with { type: "json" };
import { newClient } from "#tests/support/auth-server.ts";
import { useBackups } from "#tests/support/backups.ts";
import { copyCluster } from "#tests/support/cluster-template.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { fill, keptRows, ownerEmail } from "#tests/support/filled-database.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const { folder, settings, onlyBackup } = useBackups();

async function startServer(dataDir: string) {
  const server = await startTestServer({ dataDir });
  onTestFinished(() => server.close());
  return server;
}

test("what is restored equals what was there, table by table and row by row", async () => {
  const { DATA_DIR, BACKUP_DIR } = settings();
  await copyCluster(DATA_DIR);
  const first = await startTestServer({ dataDir: DATA_DIR });
  await fill(first);
  // Any text that people can write.
  const text = string({ unit: "grapheme", minLength: 1, maxLength: 100 });
  const left = sample(record({ message: text, note: option(text) }), {
    numRuns: 200,
    seed: 35,
  });
  await withSuperuser(DATA_DIR, async (sql) => {
    const written = left.map(({ message, note }) => ({
      message: `م ${message}`,
      note: note && `م ${note}`,
    }));
    await sql`
      insert into public.contact_messages (name, email, message, note)
      select 'n', 'sample@example.com', message, note
      from json_to_recordset(${JSON.stringify(written)}::json) as written (message text, note text)`;
  });
  const before = await keptRows(DATA_DIR);
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([
    ["private.reserved_owner", []],
  ]);
  expect((await runCommand("backup", { DATA_DIR, BACKUP_DIR })).errors).toBe("");
  await first.close();

  const elsewhere = join(folder.path, "elsewhere");
  const restored = await runCommand(
    "restore",
    { DATA_DIR: elsewhere },
    { args: [await onlyBackup()] },
  );
  expect([restored.code, restored.errors]).toEqual([0, ""]);
  expect(restored.output).toContain(`version ${manifest.version} of the site.`);
  expect(restored.output).toContain("public.contact_messages: 206 of 206 rows restored");
  await startServer(elsewhere);
  expect(await keptRows(elsewhere)).toEqual(before);
}, 120_000);

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
  const server = await startServer(DATA_DIR);
  const client = newClient(server);
  await client.auth.signInWithPassword({ email: ownerEmail, password: "correct horse" });
  expect((await client.rpc("inbox_state")).data).toMatchObject({ owner: "me", may_read: false });
  await withSuperuser(DATA_DIR, (sql) => sql`delete from auth.mfa_factors`);
  const boxes = { messages: 3, archived: 1, spam: 1, trash: 1 };
  expect((await client.rpc("inbox_state")).data).toMatchObject({ may_read: true, ...boxes });
  const kept = await keptRows(DATA_DIR);
  expect(kept["private.retention"]).toEqual([expect.stringContaining('"months": 7')]);
});
