import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { postmasterPid } from "embedded-supabase/testing";
import { expect, onTestFinished, test } from "vitest";
import { useBackups } from "#tests/support/backups.ts";
import { copyCluster } from "#tests/support/cluster-template.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { childFile } from "#tests/support/engine.ts";
import { readMessages } from "#tests/support/messages.ts";

const { folder, settings, onlyBackup } = useBackups();

test("a backup under load holds all messages confirmed before it", async () => {
  const env = settings();
  await copyCluster(env.DATA_DIR);
  const inserting = spawn(process.execPath, [childFile, env.DATA_DIR], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void inserting.kill("SIGKILL"));
  const confirmed: string[] = [];
  createInterface({ input: inserting.stdout }).on("line", (line) => confirmed.push(line));
  await expect.poll(() => confirmed.length, { timeout: 30_000 }).toBeGreaterThan(100);
  const before = confirmed.filter((line) => /^\d+$/.test(line));
  const made = await runCommand("backup", env);
  expect([made.code, made.errors]).toEqual([0, ""]);
  // The test does not wait for it.
  expect(confirmed.length).toBeGreaterThan(before.length + 10);
  process.kill(await postmasterPid(env.DATA_DIR), "SIGKILL");
  inserting.kill("SIGKILL");
  await once(inserting, "close");

  const restored = { ...env, DATA_DIR: join(folder.path, "elsewhere") };
  const { errors } = await runCommand("restore", restored, { args: [await onlyBackup()] });
  expect(errors).toBe("");
  const server = await startTestServer({ dataDir: restored.DATA_DIR });
  onTestFinished(() => server.close());
  const messages = await readMessages(restored.DATA_DIR);
  const stored = new Set(messages.map(({ message }) => message.replace("number ", "")));
  expect(before.length).toBeGreaterThan(90);
  expect(before.filter((number) => !stored.has(number))).toEqual([]);
});
