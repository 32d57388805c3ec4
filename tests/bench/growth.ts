import type { Sql } from "postgres";
import { boxes } from "#app/models/inbox-limits.ts";
import { loadKeys } from "#embedded/keys.ts";
import { fillInbox } from "./inbox.ts";
import { median, milliseconds, type Outcome } from "./measure.ts";
import { type Running, startSite, tempFolder } from "./servers.ts";
import { browserHeaders, signUp, tokenOf } from "./visitors.ts";

const sizes = { small: 1000, large: 1_000_000 };
const repeats = 100;
const order =
  "select=*&spam_signs=is.null&archived_at=is.null&deleted_at=is.null&order=created_at.desc,id.desc&limit=51";

const searches = { rare: "زرافه", common: "صفحه", absent: "قنفذ" };

/** First and deep pages, and searches, with a thousand and with a million messages, in turns. */
export default async function measureGrowth(): Promise<Outcome> {
  await using smallData = await tempFolder();
  await using largeData = await tempFolder();
  await fillInbox(smallData.path, sizes.small);
  const blocks: Record<string, number> = {};
  await fillInbox(largeData.path, sizes.large, async (sql) => {
    for (const [name, query] of Object.entries(searches)) {
      blocks[name] = await blocksOf(sql, query);
    }
  });
  await using small = await startSite(smallData.path);
  await using large = await startSite(largeData.path);
  const smallTargets = await targetsOf(small, smallData.path, sizes.small);
  const largeTargets = await targetsOf(large, largeData.path, sizes.large);

  const found = smallTargets.map(({ name }) => ({ name, small: [0], large: [0] }));
  for (let repeat = -10; repeat < repeats; repeat += 1) {
    for (const [index, entry] of found.entries()) {
      const times = {
        small: await time(smallTargets[index]),
        large: await time(largeTargets[index]),
      };
      if (repeat === 0) {
        Object.assign(entry, { small: [], large: [] });
      }
      entry.small.push(times.small);
      entry.large.push(times.large);
    }
  }
  const results = found.map((entry) => ({
    name: entry.name,
    small: median(entry.small),
    large: median(entry.large),
  }));
  return {
    title: "Inbox of 1,000 and of 1,000,000 messages",
    note: `Medians of ${repeats} requests each, in turns. The deep page begins seven tenths down. A search reads so many blocks of 8 kB at a million: ${Object.entries(
      blocks,
    )
      .map(([name, read]) => `${name} word ${read}`)
      .join(", ")}.`,
    rows: results.map((result) => ({
      page: result.name,
      "1,000": milliseconds(result.small),
      "1,000,000": milliseconds(result.large),
      ratio: (result.large / result.small).toFixed(2),
    })),
    budgets: [
      ...results
        .filter(({ name }) => !name.startsWith("search"))
        .map((result) => ({
          name: result.name,
          measured: result.large / result.small,
          limit: { atMost: 1.3 },
          unit: "times",
        })),
      ...results
        .filter(({ name }) => name.startsWith("search"))
        .map(({ name, large: measured }) => ({
          name,
          measured,
          limit: { atMost: 100 },
          unit: "ms",
        })),
      ...Object.entries(blocks).map(([name, measured]) => ({
        name: `search, ${name} word`,
        measured,
        limit: { atMost: 2000 },
        unit: "blocks",
      })),
    ],
  };
}

/** How many blocks a search reads, from memory or from disk. */
async function blocksOf(sql: Sql, query: string): Promise<number> {
  const [row] = await sql`
    explain (analyze, buffers, format json) select * from public.search_inbox(${query})`;
  const [{ Plan: plan }] = row?.["QUERY PLAN"] ?? [{ Plan: {} }];
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

interface Target {
  name: string;
  url: string;
  headers: Record<string, string>;
  body?: object;
}

async function targetsOf({ url }: Running, dataDir: string, messages: number): Promise<Target[]> {
  const cookie = await signUp(url);
  const { publishableKey } = await loadKeys(dataDir);
  const rest = { apikey: publishableKey, authorization: `Bearer ${tokenOf(cookie)}` };
  const page = { ...browserHeaders, cookie };
  const call = (name: string, what: string, body: object) => ({
    name: what,
    url: `${url}/rest/v1/rpc/${name}`,
    headers: { ...rest, "Content-Type": "application/json" },
    body,
  });
  // A moment between two messages, seven tenths of the way to the oldest.
  const deep = new Date(Date.now() - (messages * 0.7 + 0.5) * 60_000).toISOString();
  const cursor = encodeURIComponent(`${deep}_ffffffff-ffff-4fff-8fff-ffffffffffff`);
  return [
    { name: "/admin, first page", url: `${url}/admin`, headers: page },
    { name: "/admin, deep page", url: `${url}/admin?before=${cursor}`, headers: page },
    { name: "REST, first page", url: `${url}/rest/v1/contact_messages?${order}`, headers: rest },
    {
      name: "REST, deep page",
      url: `${url}/rest/v1/contact_messages?${order}&created_at=lt.${encodeURIComponent(deep)}`,
      headers: rest,
    },
    ...boxes.flatMap((box) => [
      call("read_inbox", `box ${box}, first page`, { box }),
      call("read_inbox", `box ${box}, deep page`, { box, before_moment: deep }),
    ]),
    ...Object.entries(searches).map(([name, query]) =>
      call("search_inbox", `search, ${name} word`, { query }),
    ),
  ];
}

async function time(target: Target | undefined): Promise<number> {
  if (!target) {
    throw new Error("Both sites have the same pages.");
  }
  const startedAt = performance.now();
  const response = await fetch(target.url, {
    headers: target.headers,
    ...(target.body && { method: "POST", body: JSON.stringify(target.body) }),
  });
  const text = await response.text();
  const ended = performance.now();
  if (!response.ok || !(text.includes("visitor") || target.name.includes("absent"))) {
    throw new Error(`No messages at ${target.url}`);
  }
  return ended - startedAt;
}
