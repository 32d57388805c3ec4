import { boxes, inboxLimits, undoOf } from "#app/models/inbox-limits.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { openDirect } from "./direct.ts";
import { fillInbox } from "./inbox.ts";
import { type Figure, type Outcome, median, megabytes } from "./measure.ts";
import { type Running, startSite } from "./servers.ts";
import { browserHeaders, signUp } from "./visitors.ts";

const sizes = [1000, 100_000] as const;
const repeats = 100;

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
        : { name, value: many / few, unit: "times", atMost: 1.3 },
    );
  }
  const { seconds, most } = await exported(large);
  return {
    title: "Inbox of 100,000 messages beside 1,000",
    note: `Medians of ${repeats} alternating requests each; of a search the time at 100,000. A deep page starts at 70 % of the list. Memory of an export: the peak of the site's process in the second half of the file, relative to the first.`,
    figures: [
      ...figures,
      { name: "export of all", value: seconds, unit: "s" },
      { name: "memory of an export", value: most[1] / most[0], unit: "times", atMost: 1.2 },
    ],
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
    // Last, because it leaves dead rows behind.
    answering(site.url, headers, await waitingIds(data.path)),
  ];
  const kept = held.move();
  return { site, headers, messages, targets, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

const waitingIds = (dataDir: string) =>
  withSuperuser(dataDir, async (sql) => {
    const rows = await sql<{ id: string }>`
      select id from public.contact_messages
      where spam_signs is null and archived_at is null and deleted_at is null
        and answered_at is null
      order by created_at desc, id desc limit ${inboxLimits.page}`;
    return rows.map(({ id }) => id);
  });

/** Answers a page of messages. Every second request undoes it. */
function answering(url: string, headers: Record<string, string>, ids: string[]): Target {
  let action: "answer" | "unanswer" = "unanswer";
  return {
    name: `answer ${ids.length}, or undo it`,
    ask: () => {
      action = undoOf[action];
      const body = new URLSearchParams([["action", action], ...ids.map((id) => ["ids", id])]);
      const init = { method: "POST", headers: { ...headers, Origin: url }, body };
      return request(`${url}/admin`, init, "/admin?done=");
    },
  };
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

/** Downloads every message. Returns the site's peak memory in MB, in each half of the file. */
async function exported(board: {
  site: Running;
  headers: Record<string, string>;
  messages: number;
}) {
  const { site, headers, messages } = board;
  const most: [number, number] = [0, 0];
  let lines = 0;
  const sampling = setInterval(() => {
    const half = lines < messages / 2 ? 0 : 1;
    void megabytes(site.pid).then((now) => (most[half] = Math.max(most[half], now)));
  }, 100);
  const startedAt = performance.now();
  try {
    const response = await fetch(`${site.url}/admin/export?box=any&format=jsonl`, { headers });
    if (!response.ok || !response.body) {
      throw new Error(`No export: ${response.status}`);
    }
    for await (const bytes of response.body) {
      lines += bytes.filter((byte: number) => byte === 10).length;
    }
  } finally {
    clearInterval(sampling);
  }
  return { seconds: (performance.now() - startedAt) / 1000, most };
}
