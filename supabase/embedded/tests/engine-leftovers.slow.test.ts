import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { beforeEach, describe, expect, test } from "vitest";
import { childFile, endChild, startChild } from "./support/child.ts";
import { startNotes } from "./support/notes-site.ts";
import { childrenOf, isAlive, postmasterPid, socketFolder } from "./support/processes.ts";
import { useFolder } from "./support/use-folder.ts";

const folder = useFolder();
let dataDir: string;
beforeEach(() => {
  dataDir = join(folder.path, "data");
});

/** Starts a site whose PostgreSQL outlives it. Returns the pid of the database server, too. */
async function startWithoutWatchdog() {
  const child = await startChild(dataDir);
  const pid = await postmasterPid(dataDir);
  for (const each of childrenOf(Number(child.pid))) {
    if (each !== pid) {
      process.kill(each, "SIGKILL");
    }
  }
  return { child, pid };
}

describe("a database server", () => {
  test("stops by itself soon after its site was killed, or is stopped by the next start", async () => {
    const first = await startChild(dataDir);
    const alone = await postmasterPid(dataDir);
    await endChild(first);
    await expect.poll(() => isAlive(alone)).toBe(false);

    const { child, pid } = await startWithoutWatchdog();
    const socket = await socketFolder(dataDir);
    await endChild(child);
    expect(isAlive(pid)).toBe(true);
    const server = await startNotes({ dataDir });
    expect(await postmasterPid(dataDir)).not.toBe(pid);
    expect(await server.embedded.healthy()).toBe(true);
    await server.close();
    expect(isAlive(pid)).toBe(false);
    await expect(stat(socket)).rejects.toThrow("ENOENT");
  });

  test("that hangs is killed with all its processes by the next start", async () => {
    const { child, pid } = await startWithoutWatchdog();
    const all = [pid, ...childrenOf(pid)];
    for (const each of all) {
      process.kill(each, "SIGSTOP");
    }
    await endChild(child);
    const server = await startNotes({ dataDir });
    expect(all.filter(isAlive)).toEqual([]);
    await server.close();
  });

  test("is not confused with another process that has its pid now", async () => {
    await (await startNotes({ dataDir })).close();
    const stranger = spawn("sleep", ["60"]);
    try {
      const cluster = join(dataDir, "database/cluster/data");
      const lines = [stranger.pid, cluster, 1, 5432, "/nowhere", "", "", "ready", ""];
      await writeFile(join(cluster, "postmaster.pid"), lines.join("\n"));
      const server = await startNotes({ dataDir });
      expect(await server.embedded.healthy()).toBe(true);
      await server.close();
      expect(isAlive(Number(stranger.pid))).toBe(true);
    } finally {
      stranger.kill();
    }
  });
});

test("a start removes the socket folders of dead sites, and no others", async () => {
  const base = await mkdtemp(join(tmpdir(), "t-"));
  await chmod(base, 0o711);
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = base;
  try {
    const server = await startNotes({ dataDir });
    const live = await socketFolder(dataDir);
    expect(live.startsWith(base)).toBe(true);
    const dead = join(base, "embedded-postgres-4194305-aaaaaa");
    const kept = ["embedded-postgres-site", "embedded-postgres-4194305-x", "other-4194305-aaaaaa"];
    for (const name of [dead, ...kept.map((each) => join(base, each))]) {
      await mkdir(name, { mode: 0o700 });
    }
    await writeFile(join(dead, ".s.PGSQL.5432.lock"), "");
    const other = await startNotes({ dataDir: join(folder.path, "other") });
    await expect(stat(dead)).rejects.toThrow("ENOENT");
    for (const name of [live, ...kept.map((each) => join(base, each))]) {
      expect((await stat(name)).isDirectory()).toBe(true);
    }
    await other.close();
    await server.close();
    await expect(stat(live)).rejects.toThrow("ENOENT");
  } finally {
    process.env["TMPDIR"] = TMPDIR ?? "/tmp";
    await rm(base, { recursive: true });
  }
});

const rounds = 4;
const atOnce = 2;

/** Begins the first start of a site, which makes its cluster. */
const beginStart = (data: string) =>
  spawn(process.execPath, [childFile, data], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, EMPTY_CLUSTER: undefined },
  });

/** Runs a site, and kills it `delay` ms after its start began. */
async function killedAfter(data: string, delay: number): Promise<void> {
  const child = beginStart(data);
  await once(child.stdout, "data");
  await sleep(delay);
  child.kill("SIGKILL");
  // If the site failed by itself, the test would prove nothing.
  expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
}

/** Measures a first start on this machine, from "starting" to "ready". */
async function firstStartMs(): Promise<number> {
  const child = beginStart(join(folder.path, "timed"));
  let startedAt = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "starting") {
      startedAt = performance.now();
    }
    if (line === "ready") {
      break;
    }
  }
  const taken = performance.now() - startedAt;
  child.kill("SIGKILL");
  await once(child, "close");
  return taken;
}

test("starts after kills at many moments of the first start", async () => {
  const firstStart = await firstStartMs();
  const start = async (round: number) => {
    const data = join(folder.path, `site-${round}`);
    await killedAfter(data, (round * firstStart) / (rounds - 1));
    const server = await startNotes({ dataDir: data });
    expect(await server.embedded.healthy()).toBe(true);
    await server.close();
    const left = (await readdir(join(data, "database"))).filter((name) => name.includes("new-"));
    expect(left).toEqual([]);
  };
  // A first start mostly waits for the disk.
  const inTurn = pLimit(atOnce);
  await Promise.all(Array.from({ length: rounds }, (_, round) => inTurn(start, round)));
}, 900_000);
