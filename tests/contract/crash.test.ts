import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { expect, test } from "vitest";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { childFile } from "#tests/support/engine.ts";
import { useFolder } from "#tests/support/use-folder.ts";

const rounds = 6;
const atOnce = 2;

const folder = useFolder();

/** Runs a site, and kills it `delay` ms after its start began. */
async function killedAfter(dataDir: string, delay: number): Promise<void> {
  const child = spawn(process.execPath, [childFile, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  await sleep(delay);
  child.kill("SIGKILL");
  // Otherwise the site failed by itself, and the test would prove nothing.
  expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
}

/** Measures a first start on this machine, from "starting" to "ready". */
async function firstStartMs(): Promise<number> {
  const child = spawn(process.execPath, [childFile, join(folder.path, "timed")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
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
    const dataDir = join(folder.path, `site-${round}`);
    await killedAfter(dataDir, (round * firstStart) / (rounds - 1));
    const server = await startTestServer({ dataDir });
    expect(await server.embedded.healthy()).toBe(true);
    await server.close();
    const left = (await readdir(join(dataDir, "database"))).filter((name) => name.includes("new-"));
    expect(left).toEqual([]);
  };
  // A first start mostly waits for the disk.
  const inTurn = pLimit(atOnce);
  await Promise.all(Array.from({ length: rounds }, (_, round) => inTurn(start, round)));
}, 900_000);
