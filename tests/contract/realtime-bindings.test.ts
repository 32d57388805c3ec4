import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { disconnectAll, signIn, subscribe, until } from "#tests/support/realtime/clients.ts";
import { type RealtimeServer, startRealtimeServer } from "#tests/support/realtime/server.ts";

let server: RealtimeServer;
let token: string;

beforeAll(async () => {
  server = await startRealtimeServer();
  token = await signIn(server);
  await server.sql.unsafe(`
    create table public.things (id int8 primary key, label text, amount numeric, hidden text);
    revoke all on public.things from anon, authenticated;
    grant select (id, label, amount) on public.things to authenticated;
    create schema other;
    grant usage on schema other to authenticated;
    create table other.pairs (a int, b text, note text, primary key (b, a));
    alter table other.pairs enable row level security;
    create policy everyone on other.pairs for select using (true);
    grant select on other.pairs to authenticated;
    create table public.unpublished (id int primary key);
    alter publication supabase_realtime add table public.things, other.pairs;
  `);
});
afterEach(disconnectAll);
afterAll(() => server.close());

test.each([
  ["a=eq.2", [2]],
  ["a=neq.2", [1, 3, 10]],
  ["a=lt.3", [1, 2]],
  ["a=lte.3", [1, 2, 3]],
  ["a=gt.3", [10]],
  ["a=gte.3", [3, 10]],
  ["a=in.(1,10,99)", [1, 10]],
  ["a=not.eq.2", [1, 3, 10]],
  ["a=gt.1,a=lt.10", [2, 3]],
  ['note=eq."1,2"', [2]],
  ["note=in.(n1,n3)", [1, 3]],
])("filters by %s", async (filter, expected) => {
  await server.sql`delete from other.pairs`;
  const { events, system } = await subscribe(
    server,
    {
      event: "INSERT",
      schema: "other",
      table: "pairs",
      filter,
    },
    { token },
  );
  await until(() => system.length === 1);
  const notes = { 1: "n1", 2: "1,2", 3: "n3", 10: null };
  for (const [a, note] of Object.entries(notes)) {
    await server.sql`insert into other.pairs values (${Number(a)}, 'b', ${note})`;
  }
  await until(() => events.length === expected.length);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(events.map((event) => (event.new as { a: number }).a)).toEqual(expected);
});

test("a wildcard binding receives all tables of a schema, or of all schemas", async () => {
  const schema = await subscribe(server, { event: "INSERT", schema: "public" }, { token });
  const everything = await subscribe(server, { event: "INSERT", schema: "*" }, { token });
  await server.sql`insert into other.pairs values (500, 'wild')`;
  await server.sql`insert into public.things (id) values (500)`;
  await server.sql`insert into public.unpublished values (500)`;
  await server.sql.unsafe(`
    create table public.later (id int primary key);
    alter publication supabase_realtime add table public.later`);
  await server.sql`insert into public.later values (1)`;
  await until(() => everything.events.length === 3 && schema.events.length === 2);
  expect(schema.events.map(({ table }) => table)).toEqual(["things", "later"]);
  expect(everything.events.map(({ table }) => table)).toEqual(["pairs", "things", "later"]);
});

test("sends the selected columns and the key", async () => {
  const { events } = await subscribe(
    server,
    {
      event: "*",
      schema: "public",
      table: "things",
      select: ["label"],
    },
    { token },
  );
  await server.sql`insert into things (id, label, amount) values (8, 'only', 3)`;
  await until(() => events.length === 1);
  expect(events[0]?.new).toEqual({ id: 8, label: "only" });
});

test.each([
  [{ event: "INSERT", schema: "public", table: "unpublished" }, /check Realtime is enabled/],
  [
    { event: "INSERT", schema: "public", table: "things", filter: "id=eq.x" },
    /invalid input syntax/,
  ],
  [{ event: "INSERT", schema: "public", table: "things", filter: "hidden=eq.x" }, /invalid column/],
  [{ event: "INSERT", schema: "public", table: "things", filter: "id=eq.1,2" }, /Error parsing/],
  [{ event: "INSERT", schema: "public", table: "things", filter: "id=like.x" }, /Error parsing/],
  [
    { event: "INSERT", schema: "public", table: "things", filter: "id=eq.'); drop table things" },
    /invalid input/,
  ],
  [
    { event: "INSERT", schema: "public", table: "things", filter: "id=eq.\0" },
    /No subscription params/,
  ],
])("reports the error in %j and leaves the channel joined", async (filter, message) => {
  const { system, statuses } = await subscribe(server, filter, { token });
  await until(() => system.length === 1);
  expect(system[0]).toMatchObject({ status: "error", message: expect.stringMatching(message) });
  expect(statuses).toEqual(["SUBSCRIBED"]);
});
