import { setTimeout as sleep } from "node:timers/promises";
import { tempFolder } from "#tests/support/folder.ts";
import { type Outcome, median, treeMegabytes } from "./measure.ts";
import { startSite } from "./servers.ts";

const rounds = 3;
// In ms. The first start makes a database, and has the time in which a person looks at the terminal. A later
// one is an outage: the proxy's page says to try again after seconds.
const targets = { first: 5000, later: 2000 };
// Until all that a start does later is done.
const settleMs = 15_000;

/** Measures the start on an empty and on a used data folder, and the memory at rest. */
export default async function measureStart(): Promise<Outcome> {
  const first: number[] = [];
  const later: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await using data = await tempFolder();
    {
      await using site = await startSite(data.path);
      first.push(site.startMs);
    }
    await using site = await startSite(data.path);
    later.push(site.startMs);
    await sleep(settleMs);
    memory.push(await treeMegabytes(site.pid));
  }
  return {
    title: "Start and memory",
    note: `Medians of ${rounds}; the pages are built. Memory is the PSS of Node and PostgreSQL, idle.`,
    figures: [
      {
        name: "first start, empty data folder",
        value: median(first),
        unit: "ms",
        atMost: targets.first,
      },
      { name: "later start", value: median(later), unit: "ms", atMost: targets.later },
      { name: "memory at rest", value: median(memory), unit: "MB", atMost: 350 },
    ],
  };
}
