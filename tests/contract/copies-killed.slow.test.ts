import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { double, sample } from "fast-check";
import { expect, test } from "vitest";
import { readCopy } from "#app/server/commands/transfer/format.ts";
import { useBackups } from "#tests/support/backups.ts";
import { runCommand } from "#tests/support/command.ts";
import { storedMessages } from "#tests/support/engine.ts";
import { root } from "#tests/support/spawn-server.ts";

const { folder, settings, makeBackup } = useBackups();
const kills = 3;
// The seed of the moments at which the runs are killed.
const seed = Number(process.env["KILL_SEED"] ?? Date.now());

/** Runs a command to its end, and then kills it at some moments, calling `look` after each. */
async function killAgainAndAgain(
  name: string,
  env: Record<string, string>,
  args: string[],
  look: () => Promise<void>,
) {
  const begun = performance.now();
  expect((await runCommand(name, env, { args })).errors).toBe("");
  const lasts = performance.now() - begun;
  const moments = sample(double({ min: 0, max: 1, noNaN: true }), { numRuns: kills, seed });
  console.info(`KILL_SEED=${seed}`);
  for (const moment of moments) {
    await look();
    const child = spawn(process.execPath, [`app/server/commands/${name}.ts`, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    await Promise.race([sleep(lasts * moment), ended]);
    child.kill("SIGKILL");
    await ended;
  }
  await look();
  expect((await runCommand(name, env, { args })).errors).toBe("");
}

test("a killed backup leaves no file that looks whole", async () => {
  await makeBackup();
  const { BACKUP_DIR } = settings();
  const named = new Set<string>();
  await killAgainAndAgain("backup", settings(), [], async () => {
    for (const name of await readdir(BACKUP_DIR)) {
      if (name.endsWith(".zst") && !named.has(name)) {
        await readCopy(join(BACKUP_DIR, name), undefined);
        named.add(name);
      }
    }
  });
  expect(named.size).toBeGreaterThan(1);
});

test("a killed restore leaves no folder that starts, and the next one completes it", async () => {
  const file = await makeBackup();
  const DATA_DIR = join(folder.path, "elsewhere");
  const states: string[] = [];
  await killAgainAndAgain("restore", { DATA_DIR }, [file], async () => {
    const names: string[] = await readdir(DATA_DIR).catch(() => []);
    const isBegun = names.includes("restoring") || names.includes("database");
    const state = isBegun ? await storedMessages(DATA_DIR).catch(String) : "nothing";
    states.push(String(state));
    if (String(state) === "kept") {
      await rm(DATA_DIR, { recursive: true });
    }
  });
  expect(states.filter((state) => !/^(nothing|kept)$|was not finished/.test(state))).toEqual([]);
  expect(await storedMessages(DATA_DIR)).toEqual(["kept"]);
});
