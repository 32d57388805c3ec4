import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { useBackups } from "#tests/support/backups.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { storedMessages } from "#tests/support/engine.ts";
import { root } from "#tests/support/spawn-server.ts";

const { folder, settings, makeBackup } = useBackups();
const kills = 20;

/** Kills a command at a moment, a share of the time that it took when it was not killed. */
async function killAt(ms: number, name: string, env: Record<string, string>, args: string[] = []) {
  const child = spawn(process.execPath, [`app/server/commands/${name}.ts`, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await Promise.race([sleep(ms), ended]);
  child.kill("SIGKILL");
  const [code] = await ended;
  return code === 0;
}

/** What a site finds in a folder: nothing, a whole restore, or one that it refuses. */
async function stateOf(dataDir: string): Promise<string> {
  const names: string[] = await readdir(dataDir).catch(() => []);
  if (names.includes("restoring")) {
    const started = startTestServer({ dataDir }).then((server) => server.close());
    return started.then(
      () => "started",
      (error: Error) => (error.message.includes("was not finished") ? "refused" : error.message),
    );
  }
  if (!names.includes("database")) {
    return "nothing";
  }
  return String(await storedMessages(dataDir)) === "kept" ? "whole" : "incomplete";
}

async function timed(work: () => Promise<{ errors: string }>): Promise<number> {
  const begun = performance.now();
  expect((await work()).errors).toBe("");
  return performance.now() - begun;
}

test("a killed backup leaves no file that looks whole", async () => {
  await makeBackup();
  const { BACKUP_DIR } = settings();
  const whole = async () => (await readdir(BACKUP_DIR)).filter((name) => name.endsWith(".zst"));
  const lasts = await timed(() => runCommand("backup", settings()));
  let made = (await whole()).length;
  for (let kill = 0; kill < kills; kill += 1) {
    made += Number(await killAt(lasts * Math.random(), "backup", settings()));
    // The name comes last, so a kill may also come right after it.
    const names = await whole();
    expect(names.length - made).toBeOneOf([0, 1]);
    made = names.length;
  }
  expect((await runCommand("backup", settings())).errors).toBe("");
  for (const name of await whole()) {
    const DATA_DIR = join(folder.path, "data");
    const { errors } = await runCommand("import", { DATA_DIR }, { args: [join(BACKUP_DIR, name)] });
    expect(errors).toBe("");
  }
}, 300_000);

test("a killed restore leaves no folder that starts, and the next one completes it", async () => {
  const file = await makeBackup();
  const DATA_DIR = join(folder.path, "elsewhere");
  const restore = () => runCommand("restore", { DATA_DIR }, { args: [file] });
  const lasts = await timed(restore);
  await rm(DATA_DIR, { recursive: true });
  const states: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await killAt(lasts * Math.random(), "restore", { DATA_DIR }, [file]);
    const state = await stateOf(DATA_DIR);
    states.push(state);
    if (state === "whole") {
      await rm(DATA_DIR, { recursive: true });
    }
  }
  expect(states.filter((state) => !/^(nothing|whole|refused)$/.test(state))).toEqual([]);
  await restore();
  expect(await storedMessages(DATA_DIR)).toEqual(["kept"]);
}, 300_000);
