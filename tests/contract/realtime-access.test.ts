import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { disconnectAll, signIn, subscribe, until } from "#tests/support/realtime/clients.ts";
import { createNotes, fence, idsOf, note, noteChanges } from "#tests/support/realtime/notes.ts";
import { type RealtimeServer, startRealtimeServer } from "#tests/support/realtime/server.ts";

const messageChanges = { event: "*", schema: "public", table: "contact_messages" };

let server: RealtimeServer;

beforeAll(async () => {
  server = await startRealtimeServer();
  await createNotes(server);
  await server.sql.unsafe(`
    create table public.open (id int primary key, body text, secret text);
    revoke all on public.open from anon, authenticated;
    grant select (id, body) on public.open to authenticated;
    create table public.partial (id int primary key, body text);
    revoke all on public.partial from anon, authenticated;
    grant select (body) on public.partial to authenticated;
    alter publication supabase_realtime add table public.open, public.partial`);
});
afterEach(disconnectAll);
afterAll(() => server.close());

test("delivers the inbox to accounts, and nothing to visitors", async () => {
  const reader = await subscribe(server, messageChanges, { token: await signIn(server) });
  const secret = await subscribe(server, messageChanges, { key: server.keys.secretKey });
  const visitor = await subscribe(server, messageChanges);
  await server.sql`
    insert into contact_messages (name, email, message) values ('أ', 'a@example.org', 'سلام')`;
  await until(() => reader.events.length === 1 && secret.events.length === 1);
  await server.sql`delete from contact_messages`;
  await until(() => reader.events.length === 2 && secret.events.length === 2);
  expect(visitor.events).toEqual([]);
  expect(visitor.statuses).toEqual(["SUBSCRIBED"]);
});

test("delivers to each of many subscribers only its own rows", async () => {
  const people = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const sub = randomUUID();
      return {
        sub,
        ...(await subscribe(server, noteChanges, { token: await signIn(server, { sub }) })),
      };
    }),
  );
  const visitor = await subscribe(server, noteChanges);
  const service = await subscribe(server, noteChanges, { key: server.keys.secretKey });
  const expected = new Map(people.map(({ sub }) => [sub, [] as number[]]));
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(
      people.map(async ({ sub }) => expected.get(sub)?.push(await note(server, sub))),
    );
  }
  const hidden = await note(server, "nobody");
  const open = await note(server, "public");
  const all = await note(server, "all");
  await until(() => people.every(({ events }) => events.length >= 11));
  await until(() => service.events.length >= 123 && visitor.events.length >= 1);
  for (const { sub, ...listener } of people) {
    expect(idsOf(listener).toSorted()).toEqual([...(expected.get(sub) ?? []), all].toSorted());
  }
  expect(idsOf(visitor)).toEqual([open]);
  expect(idsOf(service)).toContain(hidden);
});

test("a policy that fails for one subscriber hides rows only from that one", async () => {
  const sound = await subscribe(server, noteChanges, { token: await signIn(server) });
  const broken = await subscribe(server, noteChanges, {
    token: await signIn(server, { number: "x" }),
  });
  await fence(server, sound);
  expect(broken.events).toEqual([]);
  expect(server.lines.splice(0)).toEqual([expect.stringMatching(/1 filters or policies.*22P02/)]);
});

test("an update that makes a row visible is delivered with only the key of the old row", async () => {
  await server.sql`alter table notes replica identity full`;
  const sub = randomUUID();
  const owner = await subscribe(server, noteChanges, { token: await signIn(server, { sub }) });
  const id = await note(server, "nobody");
  await fence(server, owner);
  owner.events.splice(0);
  await server.sql`update notes set owner = ${sub}, body = 'new' where id = ${id}`;
  await until(() => owner.events.length === 1);
  await server.sql`delete from notes where id = ${id}`;
  await until(() => owner.events.length === 2);
  expect(owner.events.map(({ eventType }) => eventType)).toEqual(["UPDATE", "DELETE"]);
  for (const event of owner.events) {
    expect(event.old).toEqual({ id });
  }
  await server.sql`alter table notes replica identity default`;
});

test("without row level security, column privileges decide", async () => {
  const token = await signIn(server);
  const reader = await subscribe(
    server,
    { event: "*", schema: "public", table: "open" },
    { token },
  );
  const keyless = await subscribe(
    server,
    { event: "*", schema: "public", table: "partial" },
    { token },
  );
  const visitor = await subscribe(server, { event: "*", schema: "public" });
  await server.sql`insert into open values (1, 'body', 'secret')`;
  await server.sql`insert into partial values (1, 'body')`;
  await until(() => reader.events.length === 1 && keyless.events.length === 1);
  expect(reader.events[0]?.new).toEqual({ id: 1, body: "body" });
  expect(keyless.events[0]).toMatchObject({ new: {}, errors: ["Error 401: Unauthorized"] });
  expect(visitor.events).toEqual([]);
});

test("a changed policy or privilege takes effect at the next delivery", async () => {
  const token = await signIn(server);
  const reader = await subscribe(
    server,
    { event: "INSERT", schema: "public", table: "open" },
    { token },
  );
  await server.sql.unsafe("alter table open enable row level security");
  await server.sql`insert into open values (10, 'hidden')`;
  await server.sql.unsafe("create policy later on open for select using (id > 11)");
  await server.sql`insert into open values (11, 'hidden'), (12, 'seen')`;
  await until(() => reader.events.length === 1);
  await server.sql.unsafe(
    "revoke select on open from authenticated; revoke select (id, body) on open from authenticated",
  );
  await server.sql`insert into open values (13, 'hidden')`;
  // Visibility is decided at delivery.
  await fence(server, await subscribe(server, noteChanges, { token }));
  await server.sql.unsafe("grant select (id, body) on open to authenticated");
  await server.sql`insert into open values (14, 'seen')`;
  await until(() => reader.events.length === 2);
  expect(idsOf(reader)).toEqual([12, 14]);
});
