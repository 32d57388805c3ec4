import type { Sql } from "postgres";
import { boxes, inboxLimits, undoOf } from "#app/models/inbox-limits.ts";
import { openApi } from "#tests/support/api.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { openDirect } from "./direct.ts";
import { measureExport } from "./growth-export.ts";
import { measureInserts } from "./growth-inserts.ts";
import { growthOutcome, type Result } from "./growth-outcome.ts";
import { fillInbox } from "./inbox.ts";
import { median, type Outcome } from "./measure.ts";
import { type Running, startSite, tempFolder } from "./servers.ts";
import { browserHeaders, signUp, tokenOf } from "./visitors.ts";

const sizes = { small: 1000, large: 1_000_000 };
const repeats = 100;
const proof = "visitor";

const searches = { rare: "زرافه", common: "صفحه", absent: "قنفذ" };

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
  const smallOwner = await signUpOwner(small, smallData.path);
  const largeOwner = await signUpOwner(large, largeData.path);
  const results = [
    ...(await inTurns(targetsOf(smallOwner, sizes.small), targetsOf(largeOwner, sizes.large))),
    // Last, because they leave dead rows behind.
    ...(await inTurns(await actionsOf(smallOwner), await actionsOf(largeOwner))),
  ];
  const exported = await measureExport(large, largeOwner.page, sizes.large);
  const inserts = await measureInserts(largeData.path);
  return growthOutcome({ repeats, results, blocks, exported, inserts });
}

async function inTurns(small: Target[], large: Target[]): Promise<Result[]> {
  const found = small.map(({ name }) => ({ name, small: [0], large: [0] }));
  for (let repeat = -10; repeat < repeats; repeat += 1) {
    for (const [index, entry] of found.entries()) {
      const times = { small: await time(small[index]), large: await time(large[index]) };
      if (repeat === 0) {
        Object.assign(entry, { small: [], large: [] });
      }
      entry.small.push(times.small);
      entry.large.push(times.large);
    }
  }
  return found.map((entry) => ({
    name: entry.name,
    small: median(entry.small),
    large: median(entry.large),
  }));
}

/** Returns the number of blocks that a search reads, from memory or disk. */
async function blocksOf(sql: Sql, query: string): Promise<number> {
  const [row] = await sql`
    explain (analyze, buffers, format json) select * from public.search_inbox(${query})`;
  const [{ Plan: plan }] = row?.["QUERY PLAN"] ?? [{ Plan: {} }];
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

interface Target {
  name: string;
  /** Resolves to the response's text and Location. Rejects if it is refused. */
  ask(): Promise<string>;
  /** Text that only a correct response contains. */
  proof: string;
}

/** Signs up as the owner of the inbox. */
async function signUpOwner({ url }: Running, dataDir: string) {
  const cookie = await signUp(url);
  await using direct = await openDirect(dataDir, 1);
  await direct.claim();
  const api = await openApi({ url, dataDir });
  const caller = api.as(tokenOf(cookie));
  const page = { ...browserHeaders, cookie };
  const call = (name: string, what: string, body: () => object, sign: string): Target => ({
    name: what,
    ask: async () => (await api.call(caller, name, body())).text,
    proof: sign,
  });
  const get = (name: string, path: string): Target => ({
    name,
    ask: () => textOf(url + path, { headers: page }),
    proof,
  });
  return { url, dataDir, page, call, get };
}
type Owner = Awaited<ReturnType<typeof signUpOwner>>;

async function textOf(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  const text = (response.headers.get("Location") ?? "") + (await response.text());
  if (response.status >= 400) {
    throw new Error(`${url}: ${response.status} ${text.slice(0, 200)}`);
  }
  return text;
}

function targetsOf({ call, get }: Owner, messages: number): Target[] {
  // A time between two messages, 70 % of the way to the oldest.
  const deep = new Date(Date.now() - (messages * 0.7 + 0.5) * 60_000).toISOString();
  const cursor = encodeURIComponent(`${deep}_ffffffff-ffff-4fff-8fff-ffffffffffff`);
  return [
    get("/admin, first page", "/admin"),
    get("/admin, deep page", `/admin?before=${cursor}`),
    ...boxes.flatMap((box) => [
      call("read_inbox", `box ${box}, first page`, () => ({ box }), proof),
      call("read_inbox", `box ${box}, deep page`, () => ({ box, before_moment: deep }), proof),
    ]),
    ...Object.entries(searches).map(([name, query]) =>
      call(
        "search_inbox",
        `search, ${name} word`,
        () => ({ query }),
        name === "absent" ? "[]" : proof,
      ),
    ),
  ];
}

const parts = (ids: string[]) => [ids.slice(0, inboxLimits.page), ids.slice(-1)];

function turnsOf(action: "answer" | "archive") {
  let last: string = undoOf[action];
  return () => (last = last === action ? undoOf[action] : action);
}

/** Actions on fifty messages or one. Every second request undoes the action. */
async function actionsOf({ url, dataDir, page, call }: Owner): Promise<Target[]> {
  const read = (offset: number): Promise<string[]> =>
    withSuperuser(dataDir, async (sql) => {
      const rows = await sql<{ id: string }[]>`
        select id from public.contact_messages
        where spam_signs is null and archived_at is null and deleted_at is null
          and answered_at is null
        order by created_at desc, id desc limit ${inboxLimits.page} offset ${offset}`;
      return rows.map(({ id }) => id);
    });
  const posts = parts(await read(inboxLimits.page * 2)).map((ids): Target => {
    const next = turnsOf("answer");
    return {
      name: `/admin, answer ${ids.length}, or undo it`,
      ask: () =>
        textOf(`${url}/admin`, {
          method: "POST",
          headers: { ...page, Origin: url },
          body: new URLSearchParams([["action", next()], ...ids.map((id) => ["ids", id])]),
        }),
      proof: "/admin?done=",
    };
  });
  const calls = parts(await read(0)).map((ids) => {
    const next = turnsOf("archive");
    const what = `archive ${ids.length}, or undo it`;
    return call("sort_messages", what, () => ({ action: next(), ids }), `"changed":${ids.length}`);
  });
  return [...posts, ...calls];
}

async function time(target: Target | undefined): Promise<number> {
  if (!target) {
    throw new Error("The two sites have different pages.");
  }
  const startedAt = performance.now();
  const text = await target.ask();
  const ended = performance.now();
  if (!text.includes(target.proof)) {
    throw new Error(`${target.name}: ${text.slice(0, 200)}`);
  }
  return ended - startedAt;
}
