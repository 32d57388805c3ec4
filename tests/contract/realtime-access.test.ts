import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { disconnectAll, signIn, subscribe, until } from "#tests/support/realtime/clients.ts";
import { createNotes, fence, idsOf, note } from "#tests/support/realtime/notes.ts";
import { type RealtimeServer, startRealtimeServer } from "#tests/support/realtime/server.ts";

let server: RealtimeServer;

beforeAll(async () => {
  server = await startRealtimeServer();
  await createNotes(server);
  await server.sql.script(`
    create table public.open (id int primary key, body text);
    revoke all on public.open from anon, authenticated;
    grant select on public.open to authenticated;
    alter publication supabase_realtime add table public.open`);
});
afterEach(disconnectAll);
afterAll(() => server.close());

test("delivers to each of many subscribers only its own rows", async () => {
  const people = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const sub = randomUUID();
      return { sub, ...(await subscribe(server, await signIn(server, { sub }), "notes")) };
    }),
  );
  const expected = new Map(people.map(({ sub }) => [sub, [] as number[]]));
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(
      people.map(async ({ sub }) => expected.get(sub)?.push(await note(server, sub))),
    );
  }
  await note(server, "nobody");
  const all = await note(server, "all");
  await until(() => people.every((listener) => idsOf(listener).includes(all)));
  for (const { sub, ...listener } of people) {
    expect(idsOf(listener).toSorted()).toEqual([...(expected.get(sub) ?? []), all].toSorted());
  }
});

test("a policy that fails for one subscriber hides rows only from that one", async () => {
  const sound = await subscribe(server, await signIn(server), "notes");
  const broken = await subscribe(server, await signIn(server, { number: "x" }), "notes");
  await fence(server, sound);
  await until(() => broken.events.length === 1);
  expect(broken.events[0]).toMatchObject({ new: {}, errors: [expect.any(String)] });
  expect(server.lines.splice(0)).toEqual([expect.stringMatching(/1 policies failed notes 22P02/)]);
});

test("an update that makes a row visible is delivered", async () => {
  const sub = randomUUID();
  const owner = await subscribe(server, await signIn(server, { sub }), "notes");
  const id = await note(server, "nobody");
  await fence(server, owner);
  owner.events.splice(0);
  await server.sql`update notes set owner = ${sub}, body = 'new' where id = ${id}`;
  await until(() => owner.events.length === 1);
  expect(owner.events[0]).toMatchObject({ eventType: "UPDATE", new: { id, body: "new" } });
});

test("a changed policy or privilege takes effect at the next delivery", async () => {
  const token = await signIn(server);
  const reader = await subscribe(server, token, "open");
  const pastTheNext = async () => fence(server, await subscribe(server, token, "notes"));
  await server.sql`insert into open values (9, 'seen')`;
  await until(() => reader.events.length === 1);
  await server.sql.script("alter table open enable row level security");
  await server.sql`insert into open values (10, 'hidden')`;
  await pastTheNext();
  await server.sql.script("create policy later on open for select using (id > 11)");
  await server.sql`insert into open values (11, 'hidden'), (12, 'seen')`;
  await until(() => reader.events.length === 2);
  await server.sql.script("revoke select on open from authenticated");
  await server.sql`insert into open values (13, 'hidden')`;
  await until(() => reader.events.length === 3);
  await server.sql.script("grant select on open to authenticated");
  await server.sql`insert into open values (14, 'seen')`;
  await until(() => reader.events.length === 4);
  expect(idsOf(reader)).toEqual([9, 12, undefined, 14]);
  expect(JSON.stringify(reader.events)).not.toContain("hidden");
  expect(server.lines.splice(0)).toEqual([expect.stringMatching(/42501/)]);
});
