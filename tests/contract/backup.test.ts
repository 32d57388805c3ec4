import { join } from "node:path";
import { option, record, sample, string } from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import manifest from "#package.json" with { type: "json" };
import { useBackups } from "#tests/support/backups.ts";
import { copyCluster } from "#tests/support/cluster-template.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { fill, keptRows } from "#tests/support/filled-database.ts";
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
  // The rows hold any text that people can write.
  const text = string({ unit: "grapheme", minLength: 1, maxLength: 100 });
  const left = sample(record({ message: text, note: option(text) }), {
    numRuns: 100,
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
  expect(restored.output).toContain("public.contact_messages: 106 of 106 rows restored");
  await startServer(elsewhere);
  expect(await keptRows(elsewhere)).toEqual(before);
}, 120_000);
