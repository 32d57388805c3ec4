import { execFileSync, spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { StartError } from "#supabase/embedded/index.ts";

import { startTestServer } from "./server.ts";

const CHILD = new URL("crash-child.ts", import.meta.url).pathname;
const IS_ROOT = process.getuid?.() === 0;

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-"));
  await chmod(folder, 0o711);
  dataDir = join(folder, "data");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function refusal(start: Promise<unknown>): Promise<string> {
  const error: unknown = await start.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartError);
  return (error as StartError).message;
}

async function postmasterPid(): Promise<number> {
  const file = join(dataDir, "database/cluster/data/postmaster.pid");
  return Number((await readFile(file, "utf8")).split("\n")[0]);
}

async function eventually(holds: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await holds()) return true;
    await sleep(50);
  }
  return false;
}

/** A process that ended but that nobody has asked about (a zombie) is not alive. */
function isAlive(pid: number): boolean {
  try {
    const state = execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
    return !state.startsWith("Z");
  } catch {
    return false;
  }
}

/** A site in a process of its own. All that it says is read, or it could not go on. */
async function startChild() {
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, [CHILD, dataDir, "0"], { stdio: [...stdio] });
  await new Promise<void>((resolve) =>
    child.stdout.on("data", (chunk) => String(chunk).includes("ready") && resolve()),
  );
  return child;
}

describe("a data folder", () => {
  it("belongs to one site: a second start is refused and the first goes on", async () => {
    const first = await startTestServer({ dataDir });
    try {
      const sentence = `Another site is already running on the data folder ${dataDir}.`;
      expect(await refusal(startTestServer({ dataDir }))).toBe(sentence);
      const other = spawn(process.execPath, [CHILD, dataDir, "0"], { stdio: "pipe" });
      let faults = "";
      other.stderr.on("data", (chunk: Buffer) => (faults += chunk.toString()));
      expect(await new Promise((resolve) => other.once("close", resolve))).toBe(1);
      expect(faults).toContain(sentence);
      expect(await first.embedded.healthy()).toBe(true);
    } finally {
      await first.close();
    }
  });

  it("that cannot be written is refused with its name", async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    const said = await refusal(startTestServer({ dataDir: join(file, "data") }));
    expect(said).toContain(`The data folder ${file}/data cannot be written`);
  });

  it("may lie deeper than a socket's path may be long", async () => {
    dataDir = join(folder, "a".repeat(100), "b".repeat(100), "c".repeat(100));
    const server = await startTestServer({ dataDir });
    expect(await server.embedded.healthy()).toBe(true);
    await server.close();
  });

  it.skipIf(!IS_ROOT)("may be one that only root can enter", async () => {
    const locked = join(folder, "locked");
    dataDir = join(locked, "data");
    execFileSync("mkdir", ["-m", "700", locked]);
    const lines: string[] = [];
    const server = await startTestServer({ dataDir, log: (line) => lines.push(line) });
    const home = (await readFile(join(dataDir, "database.location"), "utf8")).trim();
    try {
      expect(await server.embedded.healthy()).toBe(true);
      expect(lines).toContain(`The database is kept in ${home}.`);
      expect((await stat(locked)).mode & 0o777).toBe(0o700);
      expect((await stat(home)).mode & 0o777).toBe(0o700);
    } finally {
      await server.close();
      await rm(home, { recursive: true });
    }
    // Never an empty site in place of the lost one.
    expect(await refusal(startTestServer({ dataDir }))).toContain("is gone");
  });
  if (!IS_ROOT) console.info("Skipped: the folder that only root can enter needs root.");
});

describe("keys", () => {
  it("are for the owner's eyes, stay over restarts, and are never replaced when damaged", async () => {
    const file = join(dataDir, "keys.json");
    const lines: string[] = [];
    const first = await startTestServer({ dataDir, log: (line) => lines.push(line) });
    await first.close();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const second = await startTestServer({ dataDir });
    expect(second.publishableKey).toBe(first.publishableKey);
    expect(second.secretKey).toBe(first.secretKey);
    await second.close();
    expect(lines.join("\n")).not.toContain("sb_");
    await writeFile(file, "{}");
    expect(await refusal(startTestServer({ dataDir }))).toContain(`${file} is damaged`);
    expect(await readFile(file, "utf8")).toBe("{}");
  });
});

describe("a database server", () => {
  it("left by a killed site is stopped by the next start", async () => {
    const child = await startChild();
    const pid = await postmasterPid();
    // Without its watchdog, so that Postgres surely outlives the site.
    const watchdog = execFileSync("pgrep", ["-P", String(child.pid), "-x", "sh"], {
      encoding: "utf8",
    });
    process.kill(Number(watchdog), "SIGKILL");
    child.kill("SIGKILL");
    await sleep(200);
    expect(isAlive(pid)).toBe(true);
    const server = await startTestServer({ dataDir });
    expect(await postmasterPid()).not.toBe(pid);
    expect(await server.embedded.healthy()).toBe(true);
    await server.close();
    expect(isAlive(pid)).toBe(false);
  });

  it("is ended soon after its site was killed, by itself", async () => {
    const child = await startChild();
    const pid = await postmasterPid();
    child.kill("SIGKILL");
    expect(await eventually(async () => !isAlive(pid))).toBe(true);
  });

  it("is not confused with a stranger that has its number now", async () => {
    await (await startTestServer({ dataDir })).close();
    const stranger = spawn("sleep", ["60"]);
    try {
      const cluster = join(dataDir, "database/cluster/data");
      const lines = [stranger.pid, cluster, 1, 5432, "/nowhere", "", "", "ready", ""];
      await writeFile(join(cluster, "postmaster.pid"), lines.join("\n"));
      const server = await startTestServer({ dataDir });
      expect(await server.embedded.healthy()).toBe(true);
      await server.close();
      expect(isAlive(Number(stranger.pid))).toBe(true);
    } finally {
      stranger.kill();
    }
  });

  it("that dies under a running site fails requests cleanly and comes back", async () => {
    const server = await startTestServer({ dataDir });
    try {
      const ask = () =>
        fetch(`${server.url}/rest/v1/contact_messages?select=id`, {
          headers: { apikey: server.secretKey },
        });
      expect((await ask()).status).toBe(200);
      const pid = await postmasterPid();
      process.kill(pid, "SIGKILL");
      const broken = await ask();
      expect([200, 503]).toContain(broken.status);
      expect(await broken.json()).toBeDefined();
      // The backends of a dead server answer for a moment more: only the next one's answer counts.
      const isBack = async () => {
        const next = await postmasterPid().catch(() => pid);
        return next !== pid && isAlive(next) && (await ask()).ok && server.embedded.healthy();
      };
      expect(await eventually(isBack)).toBe(true);
    } finally {
      await server.close();
    }
  });
});
