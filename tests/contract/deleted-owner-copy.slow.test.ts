import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { signUp } from "#tests/support/auth-server.ts";
import { useBackups } from "#tests/support/backups.ts";
import { copyCluster } from "#tests/support/cluster-template.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { deleteOwner, fill, keptRows } from "#tests/support/filled-database.ts";
import { hostedEnv } from "#tests/support/hosted-env.ts";

const { folder, settings, onlyBackup } = useBackups();

test("an inbox that lost its owner is as closed where it is restored or moved to", async () => {
  const { DATA_DIR, BACKUP_DIR } = settings();
  await copyCluster(DATA_DIR);
  const first = await startTestServer({ dataDir: DATA_DIR });
  await fill(first);
  await deleteOwner(DATA_DIR);
  const kept = await keptRows(DATA_DIR);
  expect((await runCommand("backup", { DATA_DIR, BACKUP_DIR })).errors).toBe("");
  await first.close();

  const args = [await onlyBackup()];
  const elsewhere = join(folder.path, "elsewhere");
  expect((await runCommand("restore", { DATA_DIR: elsewhere }, { args })).errors).toBe("");
  const restored = await startTestServer({ dataDir: elsewhere });
  onTestFinished(() => restored.close());
  expect(await keptRows(elsewhere)).toEqual(kept);

  const moved = await startTestServer();
  onTestFinished(() => moved.close());
  const { output } = await runCommand("restore", await hostedEnv(moved), { args });
  expect(output).toContain("private.site_owner: 1 of 1 rows restored");
  for (const server of [restored, moved]) {
    const { client } = await signUp(server, "stranger@example.com");
    const { data } = await client.rpc("inbox_state");
    expect(data).toMatchObject({ owner: "other", may_read: false });
  }
}, 120_000);
