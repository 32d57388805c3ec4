import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { disconnectAll, signIn, subscribe, until } from "#tests/support/realtime/clients.ts";
import { type RealtimeServer, startRealtimeServer } from "#tests/support/realtime/server.ts";

let server: RealtimeServer;
let token: string;

beforeAll(async () => {
  server = await startRealtimeServer();
  token = await signIn(server);
  await server.sql.script(`
    create table public.things (id int8 primary key, tags text[], at timestamptz, hidden text);
    revoke all on public.things from anon, authenticated;
    grant select (id, tags, at) on public.things to authenticated;
    create table public.keyless (label text);
    alter table public.keyless replica identity nothing;
    create schema other;
    grant usage on schema other to authenticated;
    create table other.pairs (a int, b text, note text, primary key (b, a));
    grant select on other.pairs to authenticated;
    alter publication supabase_realtime add table public.things, public.keyless, other.pairs;
  `);
});
afterEach(disconnectAll);
afterAll(() => server.close());

test("delivers inserts and updates with the row as REST returns it", async () => {
  const { events, system } = await subscribe(server, token);
  await until(() => system.length === 1);
  expect(system[0]).toMatchObject({ extension: "postgres_changes", status: "ok" });
  const [row] = await server.sql`
    insert into contact_messages (name, email, message)
    values ('سارة', 'sara@example.org', ${`خطّ\n"quoted" \\ 😀`})
    returning id, to_jsonb(contact_messages) as record`;
  await until(() => events.length === 1);
  await server.sql`update contact_messages set name = 'ليلى' where id = ${row?.["id"]}`;
  await until(() => events.length === 2);
  const readable = Object.keys(events[0]?.new ?? {});
  const record = Object.fromEntries(
    Object.entries(row?.["record"]).filter(([name]) => readable.includes(name)),
  );
  expect(readable).toEqual(expect.arrayContaining(["id", "name", "message", "spam_signs"]));
  const head = {
    schema: "public",
    table: "contact_messages",
    errors: null,
    commit_timestamp: expect.stringMatching(/^20.*\.\d{3}Z$/),
    old: {},
  };
  expect(events).toEqual([
    { ...head, eventType: "INSERT", new: record },
    { ...head, eventType: "UPDATE", new: { ...record, name: "ليلى" } },
  ]);
});

test("sends only the columns that accounts may select", async () => {
  const { events } = await subscribe(server, token, "things");
  await server.sql`
    insert into things values (7, array['a', 'b"c', null], '2026-01-02 03:04:05.678+03', 'secret')`;
  await until(() => events.length === 1);
  expect(events[0]?.new).toEqual({
    id: 7,
    tags: ["a", 'b"c', null],
    at: "2026-01-02T00:04:05.678+00:00",
  });
});

test("keeps the commit order of concurrent transactions and drops rolled back ones", async () => {
  const { events } = await subscribe(server, token, "other.pairs");
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
  const texts = () => events.map((event) => (event.new as { b: string }).b);
  expect(texts()).toEqual(["quick", "middle", "slow"]);

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
});

test("sends rows up to 1 MiB; a larger one is an event with errors and without its row", async () => {
  const { events } = await subscribe(server, token, "other.pairs");
  for (const [a, size] of [5_000, 900_000, 2_000_000].entries()) {
    await server.sql`insert into other.pairs values (${a}, 'large', ${"م".repeat(size / 2)})`;
  }
  await until(() => events.length === 3);
  expect(events[0]?.new).toMatchObject({ a: 0, note: "م".repeat(2_500) });
  expect(events[1]?.new).toMatchObject({ a: 1, note: "م".repeat(450_000) });
  expect(events[2]).toMatchObject({ new: {}, errors: [expect.any(String)] });
  // An update does not log a large value that stays as it is.
  await server.sql`update other.pairs set a = 10 where a = 1 and b = 'large'`;
  await until(() => events.length === 4);
  expect(events[3]?.new).toMatchObject({ a: 10, note: "م".repeat(450_000) });
});

test("a row without a key is an event with errors, until its table has a key", async () => {
  const { events } = await subscribe(server, token, "keyless");
  await server.sql`insert into keyless values ('x')`;
  await until(() => events.length === 1);
  expect(events[0]).toMatchObject({ new: {}, errors: [expect.any(String)] });
  expect(server.lines.splice(0)).toEqual([
    expect.stringMatching(/1 policies failed keyless 42601/),
  ]);
  await server.sql.script(`
    alter table keyless add column id int generated always as identity primary key;
    alter table keyless replica identity default;
    alter table keyless rename column label to title`);
  await server.sql`insert into keyless values ('y')`;
  await until(() => events.length === 2);
  expect(events[1]?.new).toEqual({ id: 2, title: "y" });
  expect(server.lines).toEqual([]);
});
