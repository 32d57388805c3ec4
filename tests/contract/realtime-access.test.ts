import { randomUUID } from "node:crypto";

import type { RealtimeChannel } from "@supabase/supabase-js";
import { SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";

import { connect, listen, signIn, startRealtimeServer, until } from "./realtime-server.ts";
import type { RealtimeServer } from "./realtime-server.ts";

const MESSAGES = { event: "*", schema: "public", table: "contact_messages" };
const NOTES = { event: "*", schema: "public", table: "notes" };

let server: RealtimeServer;
const clients: ReturnType<typeof connect>[] = [];

beforeAll(async () => {
  server = await startRealtimeServer();
  await server.sql.unsafe(`
    create table public.notes (id int primary key, owner text, level text default 'aal1', body text);
    alter table public.notes enable row level security;
    grant select on public.notes to authenticated, anon;
    create policy owner on public.notes for select to authenticated
      using (owner = (auth.jwt() ->> 'sub') or owner = 'all');
    create policy "public" on public.notes for select to anon using (owner = 'public');
    create policy second_factor on public.notes as restrictive for select to authenticated
      using (level = 'aal1' or (auth.jwt() ->> 'aal') = 'aal2');
    create policy fragile on public.notes as restrictive for select to authenticated
      using (coalesce((auth.jwt() ->> 'number')::int, 1) > 0);

    create table public.open (id int primary key, body text, secret text);
    revoke all on public.open from anon, authenticated;
    grant select (id, body) on public.open to authenticated;
    create table public.partial (id int primary key, body text);
    revoke all on public.partial from anon, authenticated;
    grant select (body) on public.partial to authenticated;
    alter publication supabase_realtime add table public.notes, public.open, public.partial`);
});
afterEach(async () => {
  for (const client of clients.splice(0)) {
    await client.removeAllChannels();
    await client.realtime.disconnect();
  }
});
afterAll(() => server.close());

async function subscribe(
  filter: Record<string, unknown>,
  options: Parameters<typeof connect>[1] = {},
) {
  const client = connect(server, options);
  clients.push(client);
  await client.realtime.setAuth();
  const listener = listen(client.channel("changes"), filter);
  await listener.subscribed;
  return { ...listener, client };
}

/** Sends what the client sends when it has another token, whatever the token is. */
function pushToken(channel: RealtimeChannel, token: unknown): void {
  const { channelAdapter } = channel as unknown as {
    channelAdapter: { push(event: string, payload: object): void };
  };
  channelAdapter.push("access_token", { access_token: token });
}

let nextId = 0;
async function note(owner: string, level = "aal1"): Promise<number> {
  nextId += 1;
  const id = nextId;
  await server.sql`insert into notes values (${id}, ${owner}, ${level}, 'text')`;
  return id;
}

/** A note that everybody who reads notes sees: what came before it would have come by now. */
async function fence(...listeners: { events: { new: unknown }[] }[]): Promise<void> {
  const id = await note("all");
  await until(() =>
    listeners.every(({ events }) =>
      events.some((event) => (event.new as { id: number }).id === id),
    ),
  );
}

const idsOf = ({ events }: { events: { new: unknown }[] }) =>
  events.map((event) => (event.new as { id: number }).id);

it("brings the inbox to accounts, and nothing to visitors", async () => {
  const reader = await subscribe(MESSAGES, { token: await signIn(server) });
  const secret = await subscribe(MESSAGES, { key: server.keys.secretKey });
  const visitor = await subscribe(MESSAGES);
  await server.sql`
    insert into contact_messages (name, email, message) values ('أ', 'a@example.org', 'سلام')`;
  await until(() => reader.events.length === 1 && secret.events.length === 1);
  await server.sql`delete from contact_messages`;
  await until(() => reader.events.length === 2 && secret.events.length === 2);
  expect(visitor.events).toEqual([]);
  expect(visitor.statuses).toEqual(["SUBSCRIBED"]);
});

it("shows each subscriber only its own rows, for many claims at once", async () => {
  const people = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const sub = randomUUID();
      return { sub, ...(await subscribe(NOTES, { token: await signIn(server, { sub }) })) };
    }),
  );
  const visitor = await subscribe(NOTES);
  const service = await subscribe(NOTES, { key: server.keys.secretKey });
  const expected = new Map(people.map(({ sub }) => [sub, [] as number[]]));
  for (let round = 0; round < 10; round += 1)
    await Promise.all(people.map(async ({ sub }) => expected.get(sub)?.push(await note(sub))));
  const hidden = await note("nobody");
  const open = await note("public");
  const all = await note("all");
  await until(() => people.every(({ events }) => events.length >= 11));
  await until(() => service.events.length >= 123 && visitor.events.length >= 1);
  for (const { sub, ...listener } of people)
    expect(idsOf(listener).toSorted()).toEqual([...(expected.get(sub) ?? []), all].toSorted());
  expect(idsOf(visitor)).toEqual([open]);
  expect(idsOf(service)).toContain(hidden);
});

it("cuts off nobody but the one whose claims break a policy", async () => {
  const sound = await subscribe(NOTES, { token: await signIn(server) });
  const broken = await subscribe(NOTES, { token: await signIn(server, { number: "x" }) });
  await fence(sound);
  expect(broken.events).toEqual([]);
  expect(server.lines.splice(0)).toEqual([expect.stringMatching(/1 filters or policies.*22P02/)]);
});

it("tells of rows that come into sight by an update, with no more than the key of the old row", async () => {
  await server.sql`alter table notes replica identity full`;
  const sub = randomUUID();
  const owner = await subscribe(NOTES, { token: await signIn(server, { sub }) });
  const id = await note("nobody");
  await fence(owner);
  owner.events.splice(0);
  await server.sql`update notes set owner = ${sub}, body = 'new' where id = ${id}`;
  await until(() => owner.events.length === 1);
  await server.sql`delete from notes where id = ${id}`;
  await until(() => owner.events.length === 2);
  expect(owner.events.map(({ eventType }) => eventType)).toEqual(["UPDATE", "DELETE"]);
  for (const event of owner.events) expect(event.old).toEqual({ id });
  await server.sql`alter table notes replica identity default`;
});

it("without row level security goes by the privileges on columns", async () => {
  const token = await signIn(server);
  const reader = await subscribe({ event: "*", schema: "public", table: "open" }, { token });
  const keyless = await subscribe({ event: "*", schema: "public", table: "partial" }, { token });
  const visitor = await subscribe({ event: "*", schema: "public" });
  await server.sql`insert into open values (1, 'body', 'secret')`;
  await server.sql`insert into partial values (1, 'body')`;
  await until(() => reader.events.length === 1 && keyless.events.length === 1);
  expect(reader.events[0]?.new).toEqual({ id: 1, body: "body" });
  expect(keyless.events[0]).toMatchObject({ new: {}, errors: ["Error 401: Unauthorized"] });
  expect(visitor.events).toEqual([]);
});

it("follows a policy and a privilege from the moment they change", async () => {
  const token = await signIn(server);
  const reader = await subscribe({ event: "INSERT", schema: "public", table: "open" }, { token });
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
  await fence(await subscribe(NOTES, { token }));
  await server.sql.unsafe("grant select (id, body) on open to authenticated");
  await server.sql`insert into open values (14, 'seen')`;
  await until(() => reader.events.length === 2);
  expect(idsOf(reader)).toEqual([12, 14]);
});

it("stays a visitor after a join without token, until a token comes", async () => {
  const sub = randomUUID();
  const token = await signIn(server, { sub });
  const late = await subscribe(NOTES);
  const other = await subscribe(NOTES, { token });
  const before = await note(sub);
  await until(() => idsOf(other).includes(before));
  await late.client.realtime.setAuth(token);
  await until(() => late.system.length === 2);
  const after = await note(sub);
  await until(() => idsOf(late).includes(after));
  expect(idsOf(late)).toEqual([after]);
});

it("raises a channel to the second factor by an access_token message", async () => {
  const sub = randomUUID();
  const first = await subscribe(NOTES, { token: await signIn(server, { sub }) });
  const hidden = await note(sub, "aal2");
  await fence(first);
  await first.client.realtime.setAuth(await signIn(server, { sub, aal: "aal2" }));
  await until(() => first.system.length === 2);
  const seen = await note(sub, "aal2");
  await until(() => idsOf(first).includes(seen));
  expect(idsOf(first)).not.toContain(hidden);
  // Signed out: the client falls back to the key, and the channel keeps its claims.
  await first.client.realtime.setAuth(server.keys.publishableKey);
  await fence(first);
  expect(first.statuses).toEqual(["SUBSCRIBED"]);
});

const forged: [string, (token: string) => Promise<string> | string][] = [
  [
    "a changed payload",
    (token) => token.replace(/\.[^.]+\./, (part) => `${part.slice(0, -5)}AAAA.`),
  ],
  ["alg none", (token) => `${encode({ alg: "none", typ: "JWT" })}.${token.split(".")[1]}.`],
  [
    "HS256 with the public key",
    () =>
      new SignJWT({ role: "service_role", exp: 4_000_000_000 })
        .setProtectedHeader({ alg: "HS256", kid: server.keys.signing.kid })
        .sign(Buffer.from(JSON.stringify(server.keys.signing.publicJwk))),
  ],
  [
    "an unknown key id",
    (token) => {
      const [, payload, signature] = token.split(".");
      return `${encode({ alg: "ES256", kid: "other" })}.${payload}.${signature}`;
    },
  ],
  ["an expired token", () => signIn(server, { exp: Math.floor(Date.now() / 1000) - 5 })],
  ["no token at all", () => "nonsense"],
  ["a session that has ended", () => signIn(server, { session_id: randomUUID() })],
  ["a session that is no id", () => signIn(server, { session_id: "'; select 1" })],
];
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

it.each(forged)("refuses %s at the join and as a refreshed token", async (_name, forge) => {
  const token = await forge(await signIn(server));
  const client = connect(server, { token });
  clients.push(client);
  await client.realtime.setAuth();
  await expect(listen(client.channel("refused"), NOTES).subscribed).rejects.toThrow(
    /MalformedJWT|JwtSignatureError|InvalidJWTToken|Unauthorized/,
  );
  await client.removeAllChannels();

  const sound = await signIn(server);
  const joined = await subscribe(NOTES, { token: sound });
  pushToken(joined.channel, token);
  await until(() => joined.statuses.includes("CLOSED"));
  expect(joined.system.at(-1)).toMatchObject({ extension: "system", status: "error" });
});

it("refuses a role that is not one of the interface", async () => {
  const token = await signIn(server, { role: "postgres" });
  const { system } = await subscribe(NOTES, { token });
  await until(() => system.length === 1);
  expect(system[0]).toMatchObject({ status: "error", message: /cannot subscribe/ });
});

it("closes a channel when its token expires, and one whose user has signed out", async () => {
  const exp = Math.floor(Date.now() / 1000) + 600;
  const sub = randomUUID();
  const short = await subscribe(NOTES, { token: await signIn(server, { exp, sub }) });
  const sessionId = randomUUID();
  await server.auth`insert into auth.users (id) values (${sub}) on conflict do nothing`;
  await server.auth`insert into auth.sessions (id, user_id) select ${sessionId}, id from auth.users limit 1`;
  const gone = await subscribe(NOTES, { token: await signIn(server, { session_id: sessionId }) });
  const kept = await subscribe(NOTES, { token: await signIn(server) });
  await fence(short, gone, kept);

  await server.auth`delete from auth.sessions where id = ${sessionId}`;
  await until(() => gone.statuses.includes("CLOSED"));
  expect(gone.system.at(-1)?.message).toBe("The session of the token has ended");

  server.advance(601_000);
  // Not even before the channel is closed.
  const late = await note(sub);
  await until(() => short.statuses.includes("CLOSED"));
  expect(short.system.at(-1)?.message).toMatch(/^Token has expired \d+ seconds ago$/);
  expect(idsOf(short)).not.toContain(late);
  expect(kept.statuses).toEqual(["SUBSCRIBED"]);
  server.advance(-601_000);
});

it("ignores a token without change, null and API keys", async () => {
  const token = await signIn(server);
  const { system, statuses, ...listener } = await subscribe(NOTES, { token });
  for (const value of [token, null, server.keys.secretKey, "sb_made_up", 5])
    pushToken(listener.channel, value);
  await fence(listener);
  expect(system).toHaveLength(1);
  expect(statuses).toEqual(["SUBSCRIBED"]);
});
