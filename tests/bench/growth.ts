import { loadKeys } from "#embedded/keys.ts";
import { fillInbox } from "./inbox.ts";
import { median, milliseconds, type Outcome } from "./measure.ts";
import { type Running, startSite, tempFolder } from "./servers.ts";
import { browserHeaders, signUp, tokenOf } from "./visitors.ts";

const sizes = { small: 1000, large: 1_000_000 };
const repeats = 100;
const order = "select=*&spam_signs=is.null&order=created_at.desc,id.desc&limit=51";

/** First and deep page of the inbox with a thousand and with a million messages, in turns. */
export default async function measureGrowth(): Promise<Outcome> {
  await using smallData = await tempFolder();
  await using largeData = await tempFolder();
  await fillInbox(smallData.path, sizes.small);
  await fillInbox(largeData.path, sizes.large);
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
    note: `Medians of ${repeats} requests each, in turns. The deep page begins nine tenths down.`,
    rows: results.map((result) => ({
      page: result.name,
      "1,000": milliseconds(result.small),
      "1,000,000": milliseconds(result.large),
      ratio: (result.large / result.small).toFixed(2),
    })),
    budgets: results.map((result) => ({
      name: result.name,
      measured: result.large / result.small,
      limit: { atMost: 1.3 },
      unit: "times",
    })),
  };
}

interface Target {
  name: string;
  url: string;
  headers: Record<string, string>;
}

async function targetsOf({ url }: Running, dataDir: string, messages: number): Promise<Target[]> {
  const cookie = await signUp(url);
  const { publishableKey } = await loadKeys(dataDir);
  const rest = { apikey: publishableKey, authorization: `Bearer ${tokenOf(cookie)}` };
  const page = { ...browserHeaders, cookie };
  // A moment between two messages, nine tenths of the way to the oldest.
  const deep = new Date(Date.now() - (messages * 0.9 + 0.5) * 60_000).toISOString();
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
  ];
}

async function time(target: Target | undefined): Promise<number> {
  if (!target) {
    throw new Error("Both sites have the same pages.");
  }
  const startedAt = performance.now();
  const response = await fetch(target.url, { headers: target.headers });
  const text = await response.text();
  const ended = performance.now();
  if (!response.ok || !text.includes("visitor")) {
    throw new Error(`No messages at ${target.url}`);
  }
  return ended - startedAt;
}
