import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { disconnectAll, signIn, subscribe, until } from "#tests/support/realtime/clients.ts";
import {
  createNotes,
  fence,
  idsOf,
  note,
  noteChanges,
  pushToken,
} from "#tests/support/realtime/notes.ts";
import { type RealtimeServer, startRealtimeServer } from "#tests/support/realtime/server.ts";

let server: RealtimeServer;

beforeAll(async () => {
  server = await startRealtimeServer();
  await createNotes(server);
});
afterEach(disconnectAll);
afterAll(() => server.close());

test("a channel without a token has the rights of a visitor until a token arrives", async () => {
  const sub = randomUUID();
  const token = await signIn(server, { sub });
  const late = await subscribe(server, noteChanges);
  const other = await subscribe(server, noteChanges, { token });
  const before = await note(server, sub);
  await until(() => idsOf(other).includes(before));
  await late.client.realtime.setAuth(token);
  await until(() => late.system.length === 2);
  const after = await note(server, sub);
  await until(() => idsOf(late).includes(after));
  expect(idsOf(late)).toEqual([after]);
});

test("an access_token message raises a channel to the second factor", async () => {
  const sub = randomUUID();
  const first = await subscribe(server, noteChanges, { token: await signIn(server, { sub }) });
  const hidden = await note(server, sub, "aal2");
  await fence(server, first);
  await first.client.realtime.setAuth(await signIn(server, { sub, aal: "aal2" }));
  await until(() => first.system.length === 2);
  const seen = await note(server, sub, "aal2");
  await until(() => idsOf(first).includes(seen));
  expect(idsOf(first)).not.toContain(hidden);
  // After a sign-out the client sends its key; the channel keeps its claims.
  await first.client.realtime.setAuth(server.keys.publishableKey);
  await fence(server, first);
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

test.each(forged)("refuses %s at the join and as a refreshed token", async (_name, forge) => {
  const token = await forge(await signIn(server));
  await expect(subscribe(server, noteChanges, { token })).rejects.toThrow(
    /MalformedJWT|JwtSignatureError|InvalidJWTToken|Unauthorized/,
  );

  const sound = await signIn(server);
  const joined = await subscribe(server, noteChanges, { token: sound });
  pushToken(joined.channel, token);
  await until(() => joined.statuses.includes("CLOSED"));
  expect(joined.system.at(-1)).toMatchObject({ extension: "system", status: "error" });
});

test("refuses a role that clients cannot have", async () => {
  const token = await signIn(server, { role: "postgres" });
  const { system } = await subscribe(server, noteChanges, { token });
  await until(() => system.length === 1);
  expect(system[0]).toMatchObject({ status: "error", message: /cannot subscribe/ });
});

test("closes a channel when its token expires or its session ends", async () => {
  const exp = Math.floor(Date.now() / 1000) + 600;
  const sub = randomUUID();
  const short = await subscribe(server, noteChanges, { token: await signIn(server, { exp, sub }) });
  const sessionId = randomUUID();
  await server.auth`insert into auth.users (id) values (${sub}) on conflict do nothing`;
  await server.auth`insert into auth.sessions (id, user_id) select ${sessionId}, id from auth.users limit 1`;
  const gone = await subscribe(server, noteChanges, {
    token: await signIn(server, { session_id: sessionId }),
  });
  const kept = await subscribe(server, noteChanges, { token: await signIn(server) });
  await fence(server, short, gone, kept);

  await server.auth`delete from auth.sessions where id = ${sessionId}`;
  await until(() => gone.statuses.includes("CLOSED"));
  expect(gone.system.at(-1)?.message).toBe("The session of the token has ended");

  server.advance(601_000);
  // Inserted before the channel closes.
  const late = await note(server, sub);
  await until(() => short.statuses.includes("CLOSED"));
  expect(short.system.at(-1)?.message).toMatch(/^Token has expired \d+ seconds ago$/);
  expect(idsOf(short)).not.toContain(late);
  expect(kept.statuses).toEqual(["SUBSCRIBED"]);
  server.advance(-601_000);
});

test("ignores the current token, null and API keys", async () => {
  const token = await signIn(server);
  const { system, statuses, ...listener } = await subscribe(server, noteChanges, { token });
  for (const value of [token, null, server.keys.secretKey, "sb_made_up", 5]) {
    pushToken(listener.channel, value);
  }
  await fence(server, listener);
  expect(system).toHaveLength(1);
  expect(statuses).toEqual(["SUBSCRIBED"]);
});
