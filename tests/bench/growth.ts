import { boxes } from "#app/models/boxes.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { openDirect } from "./direct.ts";
import { fillInbox } from "./inbox.ts";
import { type Figure, type Outcome, median } from "./measure.ts";
import { startSite } from "./servers.ts";
import { browserHeaders, signUp } from "./visitors.ts";

const sizes = [1000, 100_000] as const;
const repeats = 100;
/** In ms: what feels immediate (web.dev, "RAIL"). It leaves the phone as long again to show it. */
const immediate = 50;

/** Compares the board of an inbox of a thousand messages with that of a hundred thousand. */
export default async function measureGrowth(): Promise<Outcome> {
  await using small = await openBoard(sizes[0]);
  await using large = await openBoard(sizes[1]);
  const figures: Figure[] = [];
  for (const [index, { name, ask }] of small.targets.entries()) {
    const times: [number[], number[]] = [[], []];
    for (let repeat = -10; repeat < repeats; repeat += 1) {
      const pair = [await timed(ask), await timed(large.targets[index]?.ask ?? ask)] as const;
      if (repeat >= 0) {
        times[0].push(pair[0]);
        times[1].push(pair[1]);
      }
    }
    const [few, many] = [median(times[0]), median(times[1])];
    figures.push(
      name.startsWith("search")
        ? { name, value: many, unit: "ms", atMost: 200 }
        : { name: `${name}, longer`, value: many - few, unit: "ms", atMost: immediate },
    );
  }
  return {
    title: "Inbox of 100,000 messages beside 1,000",
    note: `Medians of ${repeats} alternating requests each; of a search the time at 100,000. A deep page starts at 70 % of the list. Each page counts the messages of all five boxes, which takes the longer, the more there are. A table of counts would be one more thing that can be wrong, for some milliseconds.`,
    figures,
  };
}

interface Target {
  name: string;
  /** Rejects if the answer is refused or is not the right one. */
  ask(): Promise<void>;
}

/** Starts a site with so many messages, and lists the requests of its owner. */
async function openBoard(messages: number) {
  await using held = new AsyncDisposableStack();
  const data = held.use(await tempFolder());
  await fillInbox(data.path, messages);
  const site = held.use(await startSite(data.path));
  const headers = { ...browserHeaders, cookie: await signUp(site.url) };
  const direct = held.use(await openDirect(data.path, 1));
  await direct.claim();
  // A time between two messages, 70 % of the way to the oldest.
  const moment = new Date(Date.now() - (messages * 0.7 + 0.5) * 60_000).toISOString();
  const before = `${moment}_ffffffff-ffff-4fff-8fff-ffffffffffff`;
  const page = (name: string, query: Record<string, string>, proof = "visitor"): Target => ({
    name,
    ask: () => request(`${site.url}/admin?${new URLSearchParams(query)}`, { headers }, proof),
  });
  const targets = [
    ...boxes.flatMap((box) => [
      page(`box ${box}, first page`, { box }),
      page(`box ${box}, deep page`, { box, before }),
    ]),
    page("search, rare word", { box: "any", q: "زرافه" }),
    page("search, common word", { box: "any", q: "صفحه" }),
    page("search, absent word", { box: "any", q: "قنفذ" }, "قنفذ"),
  ];
  const kept = held.move();
  return { targets, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function request(url: string, init: RequestInit, proof: string): Promise<void> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  const text = (response.headers.get("Location") ?? "") + (await response.text());
  if (response.status >= 400 || !text.includes(proof)) {
    throw new Error(`${url}: ${response.status} ${text.slice(0, 200)}`);
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
