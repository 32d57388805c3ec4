import { Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { signIn, until } from "#tests/support/realtime/clients.ts";
import { type RealtimeServer, startRealtimeServer } from "#tests/support/realtime/server.ts";
import {
  changesTopic,
  config,
  handshake,
  openSocket,
  terminateAll,
} from "#tests/support/realtime/socket.ts";

let server: RealtimeServer;

/** The limits that the service reported. */
const told = () =>
  server.lines.flatMap((line) => line.match(/(?<=^A limit was reached )\w+/) ?? []);

const from = (address: string) => ({ headers: { "X-Forwarded-For": address } });

beforeAll(async () => {
  server = await startRealtimeServer({
    socketsPerAddress: 5,
    channelsPerSocket: 3,
    bindingsPerChannel: 4,
    filtersPerSocket: 4,
    filterCharactersPerSocket: 100,
    joinsPerSecond: 6,
    framesPerSecond: 40,
    framesWaiting: 15,
    silenceMs: 3_000,
  });
});
afterEach(terminateAll);
afterAll(() => server.close());

test("refuses sockets beyond the limit of an address, until one closes", async () => {
  const opened = await Promise.all(Array.from({ length: 5 }, () => openSocket(server)));
  const path = `/realtime/v1/websocket?apikey=${server.keys.publishableKey}`;
  expect((await handshake(server, path)).status).toBe(429);
  opened[0]?.socket.terminate();
  await expect
    .poll(async () => (await handshake(server, path)).status, { timeout: 10_000 })
    .toBe(101);
  expect(told()).toEqual(["realtimeSocketsOfAddress"]);
});

test("refuses sockets beyond the server's limit, and all while it stops", async () => {
  const small = await startRealtimeServer({ sockets: 2 });
  const { socket } = await openSocket(small);
  await openSocket(small);
  const path = `/realtime/v1/websocket?apikey=${small.keys.publishableKey}`;
  expect((await handshake(small, path, from("192.0.2.1").headers)).status).toBe(429);
  // The client does not answer the close frame.
  socket.pause();
  const closing = small.close();
  expect((await handshake(small, path)).status).toBe(503);
  await closing;
  expect(small.lines).toContain("A limit was reached realtimeSockets 1");
});

test("counts an IPv6 network as one address", async () => {
  const path = `/realtime/v1/websocket?apikey=${server.keys.publishableKey}`;
  for (let host = 1; host <= 5; host += 1) {
    await openSocket(server, undefined, from(`2001:db8:1:2:${host}::1`));
  }
  const statusFrom = async (address: string) =>
    (await handshake(server, path, from(address).headers)).status;
  expect(await statusFrom("2001:db8:1:2:6::1")).toBe(429);
  expect(await statusFrom("2001:db8:1:3::1")).toBe(101);
});

test("limits channels, joins, frames and the size of a frame", async () => {
  const { send, join, reply, frames, closed } = await openSocket(server);
  for (let count = 1; count <= 4; count += 1) {
    join(String(count), `realtime:${count}`, config([]));
  }
  expect(await reply("3")).toMatchObject({ status: "ok" });
  expect(await reply("4")).toMatchObject({ response: { reason: /^ChannelRateLimitReached/ } });
  for (let count = 11; count <= 30; count += 1) {
    join(String(count), "realtime:1", config([]));
  }
  await until(() => JSON.stringify(frames).includes("ClientJoinRateLimitReached"));
  for (let count = 0; count < 100; count += 1) {
    send(null, "h", "phoenix", "heartbeat", {});
  }
  await until(() => closed.length === 1);
  expect(closed[0]?.code).toBe(1008);

  const large = await openSocket(server);
  large.send(null, "1", "phoenix", "heartbeat", { text: "x".repeat(64 * 1024) });
  await until(() => large.closed.length === 1);
  expect(large.closed[0]?.code).toBe(1009);
  expect(told()).toEqual(
    expect.arrayContaining(["realtimeChannels", "realtimeJoins", "realtimeFrames"]),
  );
});

test("counts joins on arrival and closes a socket with too many frames waiting", async () => {
  const token = await signIn(server);
  const { send, join, frames, closed } = await openSocket(server);
  const unlock = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  // Each join with a token waits for the lookup of its session.
  const lock = server.superuser.begin(async (sql) => {
    await sql`lock table auth.sessions`;
    locked.resolve();
    await unlock.promise;
  });
  try {
    await locked.promise;
    const reasons = () => frames.map((frame) => JSON.stringify(frame)).join();
    for (let count = 1; count <= 14; count += 1) {
      join(String(count), `realtime:${count}`, { ...config([]), access_token: token });
    }
    await until(() => reasons().includes("ClientJoinRateLimitReached"));
    expect(closed).toEqual([]);
    for (let count = 0; count < 20; count += 1) {
      send(null, "h", "phoenix", "heartbeat", {});
    }
    await until(() => closed.length === 1);
    expect(closed[0]?.code).toBe(1008);
  } finally {
    unlock.resolve();
    await lock;
  }
});

test("frames that arrive in one packet do not count as waiting", async () => {
  const { hostname, port } = new URL(server.url);
  const line = new Socket();
  const { send, join, frames, closed } = await openSocket(server, undefined, {
    createConnection: () => line.connect(Number(port), hostname),
  });
  join("1");
  line.cork();
  for (let count = 0; count < 20; count += 1) {
    send(null, "h", "phoenix", "heartbeat", {});
  }
  line.uncork();
  await until(() => frames.filter(([, ref]) => ref === "h").length === 20 || closed.length > 0);
  expect(closed).toEqual([]);
});

test("limits the filters of all channels of a socket together", async () => {
  const { send, join, reply, frames } = await openSocket(server);
  const token = await signIn(server);
  const joined = async (topic: string, ...filters: string[]) => {
    const changes = filters.map((filter) => ({ table: "contact_messages", filter }));
    frames.splice(0);
    join("1", topic, { ...config(changes), access_token: token });
    expect(await reply("1")).toMatchObject({ status: "ok" });
    await until(() => frames.some(([, , , event]) => event === "system"));
    return frames.find(([, , , event]) => event === "system")?.[4];
  };
  const ok = { status: "ok" };
  const refused = { status: "error", message: expect.stringContaining("too many filters") };
  expect(await joined("realtime:1", "name=eq.a", "name=eq.b,email=eq.c")).toMatchObject(ok);
  expect(await joined("realtime:2", "name=eq.a,name=neq.b")).toMatchObject(refused);
  expect(await joined("realtime:2", "name=eq.a")).toMatchObject(ok);
  expect(await joined("realtime:1", `name=in.(${"a,".repeat(50)}b)`)).toMatchObject(refused);
  send("1", "2", "realtime:2", "phx_leave", {});
  expect(await joined("realtime:1", "name=eq.a,name=eq.b,name=eq.c,name=eq.d")).toMatchObject(ok);
  expect(told()).toContain("realtimeFilters");
});

test("terminates a silent socket", async () => {
  const silent = await openSocket(server);
  await until(() => silent.closed.length > 0);
  expect(silent.closed).toEqual([{ code: 1006 }]);
});

test("terminates a socket that does not read", async () => {
  // The other server's limits would terminate it as silent.
  const patient = await startRealtimeServer({ sendBufferBytes: 200_000 });
  try {
    const token = await signIn(patient);
    await patient.sql.unsafe(`
      create table large (id int primary key, body text);
      alter publication supabase_realtime add table large`);
    const deaf = await openSocket(patient);
    const changes = config([{ event: "INSERT", schema: "public", table: "large" }]);
    deaf.join("1", changesTopic, { ...changes, access_token: token });
    await deaf.reply("1");
    deaf.socket.pause();
    // More than the buffers of the system hold.
    for (let id = 0; id < 60; id += 1) {
      await patient.sql`insert into large values (${id}, ${"x".repeat(900_000)})`;
    }
    deaf.socket.resume();
    await until(() => deaf.closed.length === 1);
    expect(deaf.closed[0]?.code).toBe(1006);
    expect(deaf.frames.length).toBeLessThan(60);
    expect(patient.lines).toContain("A limit was reached realtimeUnread 1");
  } finally {
    await patient.close();
  }
});
