import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { defaultRealtimeLimits } from "#embedded/realtime/limits.ts";
import { disconnectAll, signIn, subscribe, until } from "#tests/support/realtime/clients.ts";
import { type RealtimeServer, startRealtimeServer } from "#tests/support/realtime/server.ts";
import { config, openSocket, terminateAll } from "#tests/support/realtime/socket.ts";

const messageChanges = { event: "*", schema: "public", table: "contact_messages" };
const { socketsPerAddress, filtersPerSocket, filterCharactersPerSocket } = defaultRealtimeLimits;
/** An idle machine takes a twentieth of this; here other tests share the cores. */
const patienceMs = 6_000;

let server: RealtimeServer;
let token: string;

beforeEach(async () => {
  server = await startRealtimeServer({ socketsPerAddress: 2 * socketsPerAddress });
  token = await signIn(server);
});
afterEach(async () => {
  await terminateAll();
  await disconnectAll();
  await server.close();
});

/** Inserts rows and returns the milliseconds until the reader has received them. */
async function delivery(reader: { events: unknown[] }, rows: number): Promise<number> {
  const expected = reader.events.length + rows;
  const start = performance.now();
  await server.sql`
    insert into contact_messages (name, email, message)
    select ${randomUUID()} || i, 'x@example.org', repeat('ه', 4000) || i
    from generate_series(1, ${rows}) i`;
  await until(() => reader.events.length === expected, 20_000);
  return performance.now() - start;
}

/** A new value each time, which no row has. */
let values = 0;
const value = (length: number) => String((values += 1)).padStart(length, "x");

test("delivers in time while a socket uses 83,200 filter values", async () => {
  const reader = await subscribe(server, messageChanges, { token });
  const { join, reply, frames } = await openSocket(server);
  for (let channel = 1; channel <= 20; channel += 1) {
    const changes = Array.from({ length: 16 }, () => ({
      ...messageChanges,
      filter: Array.from({ length: 260 }, () => `name=eq.${value(6)}`).join(),
    }));
    const topic = `realtime:${channel}`;
    join(String(channel), topic, { ...config(changes), access_token: token });
    await reply(String(channel));
  }
  expect(await delivery(reader, 1)).toBeLessThan(patienceMs);
  expect(await delivery(reader, 100)).toBeLessThan(patienceMs);
  const systems = frames.filter((frame) => frame[3] === "system").map((frame) => frame[4]);
  const message = expect.stringContaining("too many filters");
  expect(systems).toHaveLength(20);
  expect(systems).toEqual(systems.map(() => expect.objectContaining({ status: "error", message })));
});

test("delivers in time while an address uses every limit, and while it joins", async () => {
  const reader = await subscribe(server, messageChanges, { token });
  const length = filterCharactersPerSocket / filtersPerSocket;
  const sockets = await Promise.all(
    Array.from({ length: socketsPerAddress }, () => openSocket(server)),
  );
  const ask = (ref: string) => {
    for (const { join } of sockets) {
      const changes = Array.from({ length: filtersPerSocket }, (_, at) => ({
        ...messageChanges,
        filter: `${at % 2 ? "message=lt" : "name=gt"}.${value(length)}`,
      }));
      join(ref, undefined, { ...config(changes), access_token: token });
    }
  };
  ask("1");
  await Promise.all(sockets.map(({ reply }) => reply("1", 20_000)));
  expect(await delivery(reader, 1)).toBeLessThan(patienceMs);
  expect(await delivery(reader, 100)).toBeLessThan(patienceMs);
  ask("2");
  expect(await delivery(reader, 1)).toBeLessThan(patienceMs);
  const systems = sockets.map(({ frames }) => frames.find((frame) => frame[3] === "system")?.[4]);
  expect(systems).toEqual(systems.map(() => expect.objectContaining({ status: "ok" })));
  expect(server.lines).toEqual([]);
}, 60_000);
