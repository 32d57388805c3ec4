import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { disconnectAll, signIn, subscribe, until } from "#tests/support/realtime/clients.ts";
import { type RealtimeServer, startRealtimeServer } from "#tests/support/realtime/server.ts";

let server: RealtimeServer;
let token: string;

beforeAll(async () => {
  server = await startRealtimeServer();
  token = await signIn(server);
  await server.sql.unsafe(`
    create type public.mood as enum ('calm', 'cross');
    create table public.things (
      id int8 primary key, label text, amount numeric, flag bool, tags text[], feeling mood,
      data jsonb, at timestamptz, day date, seconds interval, raw bytea, hidden text,
      double float8, pair int4[], short char(3)
    );
    revoke all on public.things from anon, authenticated;
    grant select (id, label, amount, flag, tags, feeling, data, at, day, seconds, raw, double, pair, short)
      on public.things to authenticated;
    create table public.keyless (label text);
    create table public.whole (id int primary key, label text, body text);
    alter table public.whole replica identity full;
    alter table public.whole alter column body set storage external;
    create schema other;
    grant usage on schema other to authenticated;
    create table other.pairs (a int, b text, note text, primary key (b, a));
    alter table other.pairs enable row level security;
    create policy everyone on other.pairs for select using (true);
    grant select on other.pairs to authenticated;
    alter publication supabase_realtime add table
      public.things, public.keyless, public.whole, other.pairs;
  `);
});
afterEach(disconnectAll);
afterAll(() => server.close());

const listenTo = (event: string, table: string, schema = "public") =>
  subscribe(server, { event, schema, table }, { token });

test.each(["1.0.0", "2.0.0"] as const)(
  "delivers every kind of change, serializer %s",
  async (vsn) => {
    const table = { schema: "public", table: "contact_messages" };
    const all = await subscribe(server, { event: "*", ...table }, { token, vsn });
    const deletes = await subscribe(server, { event: "DELETE", ...table }, { token, vsn });
    const [row] = await server.sql`
    insert into contact_messages (name, email, message)
    values ('سارة', 'sara@example.org', ${`خطّ\n"quoted" \\ 😀 ${vsn}`})
    returning id, to_jsonb(contact_messages) as record`;
    await until(() => all.events.length === 1);
    await server.sql`update contact_messages set name = 'ليلى' where id = ${row?.["id"]}`;
    await until(() => all.events.length === 2);
    await server.sql`delete from contact_messages where id = ${row?.["id"]}`;
    await until(() => all.events.length === 3 && deletes.events.length === 1);

    const record = row?.["record"];
    const head = {
      ...table,
      errors: null,
      commit_timestamp: expect.stringMatching(/^20.*\.\d{3}Z$/),
    };
    expect(all.events).toEqual([
      { ...head, eventType: "INSERT", new: record, old: {} },
      { ...head, eventType: "UPDATE", new: { ...record, name: "ليلى" }, old: { id: record.id } },
      { ...head, eventType: "DELETE", new: {}, old: { id: record.id } },
    ]);
    expect(deletes.events).toEqual([all.events[2]]);
  },
);

test("sends values as REST does, without columns that the role may not select", async () => {
  const { events } = await listenTo("*", "things");
  await server.sql`
    insert into things values (7, 'x', 12.50, true, array['a', 'b"c', null], 'cross', '{"k": [1, null]}',
      '2026-01-02 03:04:05.678+03', '2026-01-02', '1 day 2 hours', '\\xdead', 'secret', 0.1, '{1,2}', 'ab')`;
  await until(() => events.length === 1);
  expect(events[0]?.new).toEqual({
    id: 7,
    label: "x",
    amount: 12.5,
    flag: true,
    tags: ["a", 'b"c', null],
    feeling: "cross",
    data: { k: [1, null] },
    at: "2026-01-02T00:04:05.678+00:00",
    day: "2026-01-02",
    seconds: "1 day 02:00:00",
    raw: "\\xdead",
    double: 0.1,
    pair: [1, 2],
    short: "ab ",
  });
});

test("keeps the commit order of concurrent transactions and drops rolled back ones", async () => {
  const { events } = await listenTo("INSERT", "pairs", "other");
  // All are open at once and commit one after another.
  const insert = (a: number, b: string, before: Promise<unknown>, fail = false) =>
    server.sql
      .begin(async (sql) => {
        await sql`insert into other.pairs values (${a}, ${b}, ${fail ? "never" : "kept"})`;
        await before;
        if (fail) {
          throw new Error("rolled back");
        }
      })
      .then(
        () => undefined,
        () => undefined,
      );
  const start = Promise.withResolvers<void>();
  const quick = insert(3, "quick", start.promise);
  const middle = insert(4, "middle", quick);
  const slow = insert(1, "slow", middle);
  const failing = insert(2, "failing", quick, true);
  start.resolve();
  await Promise.all([failing, slow]);
  await until(() => events.length === 3);
  expect(events.map((event) => (event.new as { b: string }).b)).toEqual([
    "quick",
    "middle",
    "slow",
  ]);

  await Promise.all(
    Array.from(
      { length: 200 },
      (_, i) => server.sql`insert into other.pairs values (${i}, 'many')`,
    ),
  );
  await server.sql`
    insert into other.pairs select i, 'bulk' from generate_series(1, 300) i`;
  await until(() => events.length === 503);
  const bulk = events.filter((event) => (event.new as { b: string }).b === "bulk");
  expect(bulk.map((event) => (event.new as { a: number }).a)).toEqual(
    Array.from({ length: 300 }, (_, i) => i + 1),
  );
  const stamps = events.map(({ commit_timestamp: stamp }) => stamp);
  expect(stamps).toEqual(stamps.toSorted());
  await server.sql`delete from other.pairs`;
});

test("reports changes of a table without primary key, but not their rows", async () => {
  const { events } = await listenTo("INSERT", "keyless");
  await server.sql`insert into keyless values ('x')`;
  await until(() => events.length === 1);
  expect(events[0]).toMatchObject({ new: {}, errors: ["Error 400: Bad Request, no primary key"] });
});

test("sends whole old rows if the table logs them and has no row level security", async () => {
  const { events } = await listenTo("*", "whole");
  const body = "b".repeat(20_000);
  await server.sql`insert into whole values (1, 'first', ${body})`;
  // The log omits an unchanged body from the new row.
  await server.sql`update whole set label = 'second'`;
  await server.sql`delete from whole`;
  await until(() => events.length === 3);
  expect(events[1]?.new).toEqual({ id: 1, label: "second", body });
  expect(events[1]?.old).toEqual({ id: 1, label: "first", body });
  expect(events[2]?.old).toEqual({ id: 1, label: "second", body });
});

test("sends rows whole up to 1 MiB, larger ones without their large fields", async () => {
  const { events } = await listenTo("INSERT", "whole");
  for (const [id, size] of [5_000, 900_000, 2_000_000].entries()) {
    await server.sql`insert into whole values (${id + 10}, 'large', ${"م".repeat(size / 2)})`;
  }
  await until(() => events.length === 3);
  expect(events[0]?.new).toMatchObject({ id: 10, body: "م".repeat(2_500) });
  expect(events[1]?.new).toMatchObject({ id: 11, body: "م".repeat(450_000) });
  expect(events[2]?.new).toEqual({ id: 12, label: "large" });
  expect(events[2]?.errors).toEqual(["Error 413: Payload Too Large"]);
});

test("follows changes of the columns of a table", async () => {
  const { events } = await listenTo("INSERT", "keyless");
  await server.sql.unsafe(`
    alter table keyless add column id int generated always as identity primary key;
    alter table keyless rename column label to title`);
  await server.sql`insert into keyless values ('y')`;
  await until(() => events.length === 1);
  expect(events[0]?.new).toMatchObject({ title: "y" });
  expect(server.lines).toEqual([]);
});
