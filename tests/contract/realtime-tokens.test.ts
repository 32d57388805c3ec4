import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { disconnectAll, signIn, subscribe, until } from "#tests/support/realtime/clients.ts";
import { createNotes, fence, idsOf, note, pushToken } from "#tests/support/realtime/notes.ts";
import { type RealtimeServer, startRealtimeServer } from "#tests/support/realtime/server.ts";

let server: RealtimeServer;

beforeAll(async () => {
  server = await startRealtimeServer();
  await createNotes(server);
});
afterEach(disconnectAll);
afterAll(() => server.close());

test("an access_token message raises a channel to the second factor", async () => {
  const sub = randomUUID();
  const first = await subscribe(server, await signIn(server, { sub }));
  const hidden = await note(server, sub, "aal2");
  await fence(server, first);
  await first.client.realtime.setAuth(await signIn(server, { sub, aal: "aal2" }));
  await expect
    .poll(async () => {
      const seen = await note(server, sub, "aal2");
      await fence(server, first);
      return idsOf(first).includes(seen);
    })
    .toBe(true);
  expect(idsOf(first)).not.toContain(hidden);
  expect(first.statuses).toEqual(["SUBSCRIBED"]);
});

const forged: [string, (token: string) => Promise<string> | string][] = [
  [
    "a changed payload",
    (token) => token.replace(/\.[^.]+\./, (part) => `${part.slice(0, -5)}AAAA.`),
  ],
  ["the role of the site", () => signIn(server, { role: "service_role" })],
  ["the role of the database", () => signIn(server, { role: "postgres" })],
  ["an expired token", () => signIn(server, { exp: Math.floor(Date.now() / 1000) - 5 })],
  ["a session that has ended", () => signIn(server, { session_id: randomUUID() })],
  ["a session that is no id", () => signIn(server, { session_id: "'; select 1" })],
];

test.each(forged)("refuses %s at the join and as a refreshed token", async (_name, forge) => {
  const token = await forge(await signIn(server));
  await expect(subscribe(server, token)).rejects.toThrow(/InvalidJWTToken|Unauthorized/);

  const sound = await signIn(server);
  const joined = await subscribe(server, sound);
  pushToken(joined.channel, token);
  await until(() => joined.statuses.includes("CLOSED"));
  expect(joined.system.at(-1)).toMatchObject({ extension: "system", status: "error" });
});

test("an expired token and an ended session receive nothing more and are closed", async () => {
  const sub = randomUUID();
  const exp = Math.floor(Date.now() / 1000) + 3;
  const sessionId = randomUUID();
  const short = await subscribe(server, await signIn(server, { sub, exp }));
  await server.auth`
    insert into auth.sessions (id, user_id) select ${sessionId}, id from auth.users limit 1`;
  const ended = await signIn(server, { session_id: sessionId });
  const gone = await subscribe(server, ended);
  const kept = await subscribe(server, await signIn(server));
  await fence(server, short, gone, kept);

  await server.auth`delete from auth.sessions where id = ${sessionId}`;
  await sleep(exp * 1000 - Date.now());
  const late = await note(server, sub);
  await fence(server, kept);
  expect(idsOf(short)).not.toContain(late);
  await until(() => [short, gone].every(({ statuses }) => statuses.includes("CLOSED")));
  expect(gone.system.at(-1)?.message).toBe("The session of the token has ended");
  expect(short.system.at(-1)?.message).toBe("The token has expired");
  expect(kept.statuses).toEqual(["SUBSCRIBED"]);
});
