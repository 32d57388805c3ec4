import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { expect, test } from "vitest";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { childFile, useFolder } from "#tests/support/engine.ts";
import { readMessages } from "#tests/support/messages.ts";

const rounds = 8;
const atOnce = 2;

const folder = useFolder();

/** Runs a site, kills it `delay` ms after it printed the mark, and returns what it printed. */
async function killedAfter(dataDir: string, mark: RegExp, delay: number, firstNumber = 0) {
  const child = spawn(process.execPath, [childFile, dataDir, String(firstNumber)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: string[] = [];
  const marked = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    said.push(line);
    if (mark.test(line)) {
      marked.resolve();
    }
  });
  const closed = once(child, "close");
  await Promise.race([marked.promise, closed]);
  await sleep(delay);
  child.kill("SIGKILL");
  const [, signal] = await closed;
  // Otherwise the site failed by itself, and the test would prove nothing.
  expect(signal).toBe("SIGKILL");
  return said;
}

/** Measures a first start on this machine, from "starting" to "ready". */
async function firstStartMs(): Promise<number> {
  const child = spawn(process.execPath, [childFile, join(folder.path, "timed"), "0"], {
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

async function storedNumbers(dataDir: string): Promise<number[]> {
  const server = await startTestServer({ dataDir });
  try {
    expect(await server.embedded.healthy()).toBe(true);
    const messages = await readMessages(dataDir);
    return messages.map(({ message }) => Number(message.replace("number ", "")));
  } finally {
    await server.close();
  }
}

test("starts after kills at many moments of the first start", async () => {
  const firstStart = await firstStartMs();
  const start = async (round: number) => {
    const dataDir = join(folder.path, `site-${round}`);
    await killedAfter(dataDir, /^starting$/, (round * firstStart) / (rounds - 1));
    expect(await storedNumbers(dataDir)).toBeDefined();
    const left = (await readdir(join(dataDir, "database"))).filter((name) => name.includes("new-"));
    expect(left).toEqual([]);
  };
  // A first start mostly waits for the disk.
  const inTurn = pLimit(atOnce);
  await Promise.all(Array.from({ length: rounds }, (_, round) => inTurn(start, round)));
}, 900_000);

test("keeps every confirmed row through kills in the middle of inserts", async () => {
  const dataDir = join(folder.path, "site");
  const confirmed = new Set<number>();
  for (let round = 0; round < rounds; round += 1) {
    const first = round * 100_000;
    // Its third number is confirmed, so the kill comes between inserts.
    const mark = new RegExp(`^${first + 2}$`);
    const said = await killedAfter(dataDir, mark, round * 25, first);
    for (const line of said.filter((each) => /^\d+$/.test(each))) {
      confirmed.add(Number(line));
    }
  }
  const stored = await storedNumbers(dataDir);
  expect(confirmed.size).toBeGreaterThan(rounds);
  expect([...confirmed].filter((number) => !stored.includes(number))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
}, 600_000);
