import { afterAll, afterEach, expect, test } from "vitest";
import { disconnectAll, signIn, subscribe, until } from "#tests/support/realtime/clients.ts";
import { createNotes, fence, idsOf, note } from "#tests/support/realtime/notes.ts";
import { startRealtimeServer } from "#tests/support/realtime/server.ts";

const server = await startRealtimeServer();
afterAll(() => server.close());
afterEach(disconnectAll);
await createNotes(server);

test("delivers inserts and updates with the row as REST returns it", async () => {
  const { events, system } = await subscribe(server, await signIn(server));
  await until(() => system.length === 1);
  expect(system[0]).toMatchObject({ extension: "postgres_changes", status: "ok" });
  const [row] = await server.sql`
    insert into contact_messages (name, email, message)
    values ('all', 'sara@example.org', ${`خطّ\n"quoted" \\ 😀${"م".repeat(4_000)}`})
    returning id, to_jsonb(contact_messages) as record`;
  await until(() => events.length === 1);
  await server.sql`update contact_messages set note = 'ليلى' where id = ${row?.["id"]}`;
  await until(() => events.length === 2);
  const head = {
    schema: "public",
    table: "contact_messages",
    errors: null,
    commit_timestamp: expect.stringMatching(/^20.*\.\d{3}Z$/),
    old: {},
  };
  const record = row?.["record"];
  expect(events).toEqual([
    { ...head, eventType: "INSERT", new: record },
    { ...head, eventType: "UPDATE", new: { ...record, note: "ليلى" } },
  ]);
});

test("keeps the commit order of concurrent transactions and drops rolled back ones", async () => {
  const listener = await subscribe(server, await signIn(server));
  // All are open at once and commit one after another.
  const insert = async (before: Promise<unknown>, fails = false) => {
    let id = "";
    await server.sql
      .begin(async (sql) => {
        id = await note({ sql }, "all");
        await before;
        if (fails) {
          throw new Error("rolled back");
        }
      })
      .catch(() => undefined);
    return id;
  };
  const start = Promise.withResolvers<void>();
  const quick = insert(start.promise);
  const middle = insert(quick);
  const slow = insert(middle);
  const failing = insert(quick, true);
  start.resolve();
  await failing;
  const order = [await quick, await middle, await slow];
  await until(() => listener.events.length === 3);
  expect(idsOf(listener)).toEqual(order);

  const alone = Array.from({ length: 200 }, () => note(server, "all"));
  order.push(...(await Promise.all(alone)));
  const bulk = await server.sql<{ id: string }>`
    insert into contact_messages (name, email, message)
    select 'all', 'x@example.org', 'bulk ' || i from generate_series(1, 300) i returning id`;
  order.push(...bulk.map(({ id }) => id));
  await until(() => listener.events.length === order.length);
  expect(idsOf(listener).slice(-300)).toEqual(order.slice(-300));
  expect(idsOf(listener).toSorted()).toEqual(order.toSorted());
});

test("a policy that fails for one subscriber hides rows only from that one", async () => {
  const sound = await subscribe(server, await signIn(server));
  const broken = await subscribe(server, await signIn(server, { number: "x" }));
  await fence(server, sound);
  await until(() => broken.events.length === 1);
  expect(broken.events[0]).toMatchObject({ new: {}, errors: [expect.any(String)] });
  expect(server.lines.splice(0)).toEqual(["Realtime could not read rows as an account 22P02"]);
});
