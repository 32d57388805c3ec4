import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { boxes } from "#app/models/boxes.ts";
import { asAccount, startInbox } from "#tests/support/inbox.ts";

const messages = 8_000;

const { database, owner, search } = await startInbox();
afterAll(() => database.close());
// Nine messages in nine minutes, at one moment. Every third has a common word, one in ten another, and two a rare one.
await database.superuser.begin(async (sql) => {
  await sql`set local session_replication_role = replica`;
  await sql`
    insert into public.contact_messages (name, email, message, created_at)
    select 'زائر ' || n, 'visitor' || n || '@example.com',
      'أريد صفحة هبوط. رقم ' || n
        || case when n % 3 = 0 then ' موقع' else '' end
        || case when n % 10 = 0 then ' ثوب' else '' end
        || case when n in (700, 7900) then ' زَرافة' else '' end,
      now() - n / 9 * interval '9 minutes'
    from generate_series(1, ${messages}::integer) n`;
});
await database.superuser`vacuum analyze public.contact_messages`;

interface Plan {
  Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number };
}

/** How much a query of the owner reads, and how often the whole table without an index. */
async function cost(query: string, values: readonly string[], mode = "auto") {
  return asAccount(database, owner, async (sql) => {
    await sql`select set_config('plan_cache_mode', ${mode}, true)`;
    const scans = async () => {
      const [count] = await sql<{ scans: number }>`
        select pg_stat_get_xact_numscans('public.contact_messages'::regclass)::integer as scans`;
      return count?.scans ?? 0;
    };
    // The first query also reads and plans the functions of the policies.
    await sql.unsafe(query, values);
    const before = await scans();
    const [row] = await sql.unsafe(`explain (analyze, buffers, format json) ${query}`, values);
    const after = await scans();
    const [{ Plan: plan }] = (row as { "QUERY PLAN": [Plan] })["QUERY PLAN"];
    return {
      blocks: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"],
      tableScans: after - before,
    };
  });
}

const pagesOfTable = async () => {
  const [row] = await database.sql<{ pages: number }>`
    select relpages as pages from pg_class where oid = 'public.contact_messages'::regclass`;
  return row?.pages ?? 0;
};

test.each([
  ["a common word", "موقع", 0.1],
  ["an absent word", "قنفذ", 1.5],
  ["two letters", "قن", 1.5],
])(
  "a search for %s reads each row once at most, in the order of the list",
  async (_, query, most) => {
    const { blocks } = await cost("select * from public.read_inbox('any', $1)", [query]);
    // A row is found by an index, so that pages are counted by their rows.
    const rows = query === "موقع" ? 51 * 3 : messages;
    expect(blocks).toBeLessThan(rows + most * (await pagesOfTable()));
  },
);

test("a page has a thousand messages at most, however many are asked for", async () => {
  const [read] = await asAccount(
    database,
    owner,
    (sql) => sql`select json_array_length(page) as rows from public.read_inbox(most => 1001)`,
  );
  expect(read).toEqual({ rows: 1000 });
});

test("a search finds a rare word anywhere", async () => {
  expect((await search("زرافة")).page.length).toBe(2);
  expect((await search("موقع زرافة")).page).toEqual([]);
  expect((await search("قنفذ")).page).toEqual([]);
});

test("pages of a common word follow each other without a gap", async () => {
  const first = await search("موقع");
  expect(first.page.length).toBe(51);
  const next = await search("موقع", "all", first.page.at(-1));
  const numbers = [...first.page, ...next.page].map(({ message }) =>
    Number(/رقم (\d+)/.exec(message)?.[1]),
  );
  // The last one is one of three of its moment.
  expect(numbers.toSorted((a, b) => a - b).slice(0, 101)).toEqual(
    Array.from({ length: 101 }, (_, index) => (index + 1) * 3),
  );
});

test.each(["force_custom_plan", "force_generic_plan"])(
  "any page of each box, and how much each holds, are read from indexes (%s)",
  async (mode) => {
    await database.superuser.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql`
        update public.contact_messages set
          answered_at = case when n % 5 = 1 then now() end,
          archived_at = case when n % 5 = 2 then now() end,
          spam_signs = case when n % 5 = 3 then array['trap'] end,
          spam_at = case when n % 5 = 3 then now() end,
          deleted_at = case when n % 5 = 4 then now() end
        from (select id as of, split_part(name, ' ', 2)::integer as n from public.contact_messages) m
        where id = of`;
    });
    await database.superuser`vacuum analyze public.contact_messages`;
    const halfway = new Date(Date.now() - (messages / 2) * 60_000).toISOString();
    const newest = "select json_array_length(page) as length from public.read_inbox($1)";
    const deep = newest.replace("$1", "$1, null, $2, $3");
    const due = newest.replace("$1", "$1, late_before => $2, old_before => $2");
    const yesterday = new Date(Date.now() - 24 * 60 * 60_000).toISOString();
    for (const [query, values] of boxes.flatMap((box) => [
      [newest, [box]] as const,
      [deep, [box, halfway, randomUUID()]] as const,
      [due, [box, yesterday]] as const,
    ])) {
      const [page] = await asAccount(database, owner, (sql) => sql.unsafe(query, values));
      expect(page).toEqual({ length: 51 });
      const { blocks, tableScans } = await cost(query, values, mode);
      expect([values, tableScans]).toEqual([values, 0]);
      // The whole table has about four hundred.
      expect(blocks).toBeLessThan(200);
    }
  },
);
