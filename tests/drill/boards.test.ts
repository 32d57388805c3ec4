import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { signUp } from "#tests/bench/visitors.ts";
import { startSite } from "#tests/support/site.ts";
import { openBoard } from "./boards.ts";
import { startSenders, storedTexts } from "./senders.ts";

test("boards miss no message when the database is killed", async () => {
  const site = await startSite();
  onTestFinished(() => site.stop());
  const cookie = await signUp(site.url);
  const boards = await Promise.all([1, 2, 3].map(() => openBoard(site, cookie)));
  const senders = startSenders(site.url, 2);
  const someSent = async (count: number) => {
    const wanted = senders.acknowledged.size + count;
    await expect.poll(() => senders.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(wanted);
  };
  await someSent(20);
  const cluster = join(site.dataDir, "database/cluster/data/postmaster.pid");
  process.kill(Number((await readFile(cluster, "utf8")).split("\n")[0]), "SIGKILL");
  await someSent(100);
  await senders.stop();
  const stored = await storedTexts(site.dataDir);
  expect(stored.length).toBeGreaterThanOrEqual(senders.acknowledged.size);
  await expect
    .poll(() => boards.map((board) => board.missing(stored)), { timeout: 20_000 })
    .toEqual([[], [], []]);
  for (const board of boards) {
    expect(board.reloads()).toBeGreaterThan(0);
    await board.close();
  }
}, 120_000);
