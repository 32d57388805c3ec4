import { setTimeout as sleep } from "node:timers/promises";
import { tempFolder } from "#tests/support/folder.ts";
import { readMessages } from "#tests/support/messages.ts";
import { startSenders } from "./senders.ts";
import { type SiteProcess, siteProcess } from "./site-process.ts";

/** Kinds of kills under load. Each leaves the site running or starting. */
const kills = {
  "the site": async (site) => {
    await site.killSite();
    return site.start();
  },
  "the database": async (site) => {
    await site.killDatabase();
    return true;
  },
  "one connection of the database": async (site) => {
    const { all, roots } = await site.postgres();
    const backend = all.findLast((pid) => !roots.includes(pid));
    if (backend !== undefined) {
      process.kill(backend, "SIGKILL");
    }
    return true;
  },
  both: async (site) => {
    await Promise.all([site.killDatabase(), site.killSite()]);
    return site.start();
  },
  "the site at its start": async (site) => {
    await site.killSite();
    void site.start();
    await sleep(Math.random() * 1500);
    await site.killSite();
    return site.start();
  },
  "the database at its start": async (site) => {
    await Promise.all([site.killDatabase(), site.killSite()]);
    const isReady = site.start();
    while ((await site.postgres()).all.length === 0) {
      await sleep(5);
    }
    await sleep(Math.random() * 300);
    await site.killDatabase();
    // This start may fail with a StartError. The next one must succeed.
    return (await isReady) || site.start();
  },
} satisfies Record<string, (site: SiteProcess) => Promise<boolean>>;

export const kinds = Object.keys(kills) as (keyof typeof kills)[];

const underLoadMs = 500;
const recoveryPatienceMs = 60_000;

/**
 * Kills a site `rounds` times under load, alternating the kinds of kills, and compares the
 * confirmed messages with the stored ones.
 * @param report receives a line per round
 */
export async function drill(rounds: number, report: (line: string) => void) {
  await using folder = await tempFolder();
  const site = await siteProcess(folder.path);
  let failedStarts = 0;
  /** By round: from the kill, or the following start, to the first successful health check. */
  const recoveryMs: number[] = [];
  try {
    if (!(await site.start())) {
      throw new Error(`The first start failed: ${site.output()}`);
    }
    const senders = startSenders(site.url, 4);
    for (let round = 0; round < rounds; round += 1) {
      const kind = kinds[round % kinds.length] ?? "both";
      await sleep(underLoadMs + Math.random() * underLoadMs);
      let isStarted = await kills[kind](site);
      while (!isStarted) {
        failedStarts += 1;
        report(`A start failed: ${site.output().trim()}`);
        isStarted = await site.start();
      }
      const tookMs = await untilHealthy(site.url);
      recoveryMs.push(tookMs);
      report(
        `${round + 1}: ${kind}, healthy ${tookMs} ms later, ${senders.acknowledged.size} sent`,
      );
    }
    await senders.stop();
    const stored = (await readMessages(site.dataDir)).map(({ message }) => message);
    const { acknowledged } = senders;
    return {
      acknowledged: acknowledged.size,
      ...compare(acknowledged, stored),
      failedStarts,
      recoveryMs,
    };
  } finally {
    await site.stop();
  }
}

/** Returns the confirmed messages that are not stored, and those stored more than once. */
export function compare(acknowledged: Set<string>, stored: string[]) {
  const known = new Set<string>();
  const doubled = stored.filter((text) => known.size === known.add(text).size);
  return { lost: [...acknowledged].filter((text) => !known.has(text)), doubled };
}

async function untilHealthy(url: string): Promise<number> {
  const since = Date.now();
  while (Date.now() - since < recoveryPatienceMs) {
    const response = await fetch(`${url}/healthz`).catch(() => undefined);
    if (response?.ok) {
      return Date.now() - since;
    }
    await sleep(20);
  }
  throw new Error("The site was not healthy again within a minute.");
}
