import { once } from "node:events";
import { request } from "node:http";

import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";

import { connect, listen, signIn, startRealtimeServer, until } from "./realtime-server.ts";
import type { RealtimeServer } from "./realtime-server.ts";

const TOPIC = "realtime:changes";
const INSERTS = [{ event: "INSERT", schema: "public", table: "contact_messages" }];

let server: RealtimeServer;
const sockets: WebSocket[] = [];

beforeAll(async () => {
  server = await startRealtimeServer({
    socketsPerAddress: 5,
    channelsPerSocket: 3,
    bindingsPerChannel: 4,
    joinsPerSecond: 6,
    framesPerSecond: 40,
    sendBufferBytes: 200_000,
    silenceMs: 3_000,
  });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await new Promise((resolve) => setTimeout(resolve, 50));
});
afterAll(() => server.close());

/** A bare socket that speaks serializer 2.0.0, for what the official client never sends. */
async function open(query = `apikey=${server.keys.publishableKey}&vsn=2.0.0`) {
  const socket = new WebSocket(`${server.url}/realtime/v1/websocket?${query}`);
  sockets.push(socket);
  const frames: unknown[][] = [];
  const closed: { code: number }[] = [];
  socket.on("message", (data) => void frames.push(JSON.parse(String(data))));
  socket.on("close", (code) => void closed.push({ code }));
  socket.on("error", () => undefined);
  await once(socket, "open");
  const send = (...frame: unknown[]) => socket.send(JSON.stringify(frame));
  const join = (ref: string, topic = TOPIC, payload: object = config(INSERTS)) =>
    send(ref, ref, topic, "phx_join", payload);
  const reply = async (ref: string) => {
    await until(() => frames.some(([, of, , event]) => of === ref && event === "phx_reply"));
    return frames.find(([, of, , event]) => of === ref && event === "phx_reply")?.[4];
  };
  return { socket, frames, closed, send, join, reply };
}

const config = (changes: unknown[]) => ({
  config: {
    broadcast: { ack: false, self: false },
    presence: { key: "", enabled: false },
    private: false,
    postgres_changes: changes,
  },
});

function handshake(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const asked = request(`${server.url}${path}`, {
      headers: {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ...headers,
      },
    });
    asked.on("error", reject);
    asked.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, body: undefined });
    });
    asked.on("response", async (response) => {
      const chunks = await response.toArray();
      resolve({
        status: response.statusCode ?? 0,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
    });
    asked.end();
  });
}

const refusal = (status: number) => ({ status, body: { error: expect.any(String) } });

it("refuses handshakes in plain HTTP with JSON", async () => {
  const path = "/realtime/v1/websocket";
  const key = server.keys.publishableKey;
  expect(await handshake(path)).toEqual(refusal(401));
  expect(await handshake(`${path}?apikey=sb_publishable_wrong`)).toEqual(refusal(401));
  expect(await handshake(`${path}?apikey=${key}&vsn=3.0.0`)).toEqual(refusal(400));
  expect(await handshake(`/realtime/v1/other?apikey=${key}`)).toEqual(refusal(404));
  expect(await handshake(`//%?apikey=${key}`)).toEqual(refusal(404));
  expect(await handshake(`${path}?apikey=${key}`, { "Sec-WebSocket-Version": "99" })).toEqual(
    refusal(400),
  );
  expect((await handshake(path, { "x-api-key": key })).status).toBe(101);
});

it("refuses more sockets than one address may have, until one is closed", async () => {
  const opened = await Promise.all(Array.from({ length: 5 }, () => open()));
  const path = `/realtime/v1/websocket?apikey=${server.keys.publishableKey}`;
  expect((await handshake(path)).status).toBe(429);
  opened[0]?.socket.terminate();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await handshake(path)).status).toBe(101);
});

it("repeats the entries of a join with numeric ids, then says that it is active", async () => {
  const { join, reply, frames } = await open();
  const entries = [
    ...INSERTS,
    { event: "*", schema: "public", table: "contact_messages", filter: "name=eq.x" },
  ];
  const token = await signIn(server);
  join("6", TOPIC, { ...config(entries), access_token: token });
  expect(await reply("6")).toEqual({
    status: "ok",
    response: { postgres_changes: entries.map((entry, index) => ({ ...entry, id: index + 1 })) },
  });
  await until(() => frames.length === 2);
  const message = "Subscribed to PostgreSQL";
  const system = { extension: "postgres_changes", status: "ok", message, channel: "changes" };
  expect(frames[1]).toEqual(["6", null, TOPIC, "system", system]);

  await server.sql`
    insert into contact_messages (name, email, message) values ('x', 'x@example.org', 'both')`;
  await until(() => frames.length === 3);
  expect(frames[2]).toMatchObject([
    null,
    null,
    TOPIC,
    "postgres_changes",
    {
      ids: [1, 2],
      data: { columns: expect.arrayContaining([{ name: "created_at", type: "timestamptz" }]) },
    },
  ]);
});

it("speaks serializer 1.0.0 to whoever names no version", async () => {
  const { socket, frames } = await open(`apikey=${server.keys.publishableKey}`);
  socket.send(JSON.stringify({ topic: "phoenix", event: "heartbeat", payload: {}, ref: "1" }));
  await until(() => frames.length === 1);
  const payload = { status: "ok", response: {} };
  expect(frames[0]).toEqual({
    join_ref: null,
    ref: "1",
    topic: "phoenix",
    event: "phx_reply",
    payload,
  });
});

it("answers heartbeats, leaves, unknown topics and second joins as Phoenix does", async () => {
  const { send, join, reply, frames } = await open();
  send(null, "1", "phoenix", "heartbeat", {});
  expect(await reply("1")).toEqual({ status: "ok", response: {} });
  send("2", "2", "realtime:nowhere", "hello", {});
  expect(await reply("2")).toEqual({ status: "error", response: { reason: "unmatched topic" } });
  join("3", "realtime:");
  expect(await reply("3")).toMatchObject({ response: { reason: /^TopicNameRequired/ } });
  join("4", TOPIC, config([]));
  expect(await reply("4")).toEqual({ status: "ok", response: { postgres_changes: [] } });
  join("5", TOPIC, config([]));
  expect(await reply("5")).toMatchObject({ status: "ok" });
  expect(frames).toContainEqual(["4", "4", TOPIC, "phx_close", {}]);
  send("5", "6", TOPIC, "phx_leave", {});
  expect(await reply("6")).toEqual({ status: "ok", response: {} });
  await until(() => frames.some((frame) => frame[3] === "phx_close" && frame[0] === "5"));
});

it("accepts broadcast and presence in a join and says that it relays neither", async () => {
  const client = connect(server);
  const channel = client.channel("talk", {
    config: { broadcast: { ack: true }, presence: { enabled: true, key: "me" } },
  });
  await listen(channel, INSERTS[0] ?? {}).subscribed;
  const answer = await channel.send({ type: "broadcast", event: "سلام", payload: { a: "ب" } });
  expect(answer).toBe("error");
  expect(await channel.track({ here: true })).toBe("error");
  await client.removeAllChannels();
  await client.realtime.disconnect();
});

it.each([
  ["not JSON", "{", false],
  ["no frame", "{}", false],
  ["a wrong list", "[1,2,3]", false],
  ["deep nesting", "[".repeat(60_000), false],
  ["an empty binary frame", Buffer.alloc(0), true],
  ["an unknown binary frame", Buffer.from([9, 1, 1]), true],
  ["a truncated broadcast", Buffer.from([3, 255, 255, 255, 255, 255, 1, 0]), true],
])("closes a socket that sends %s", async (_name, data, binary) => {
  const { socket, closed } = await open();
  socket.send(data, { binary });
  await until(() => closed.length === 1);
  expect(closed[0]?.code).toBe(1007);
});

it.each([
  ["strings for lists", { config: { postgres_changes: "x" } }],
  ["a list for a payload", []],
  ["a number for a token", { ...config([]), access_token: 5 }],
  ["too many changes", config(Array.from({ length: 5 }, () => INSERTS[0]))],
])("refuses a join with %s", async (_name, payload) => {
  const { join, reply } = await open();
  join("1", TOPIC, payload);
  expect(await reply("1")).toMatchObject({
    status: "error",
    response: { reason: expect.any(String) },
  });
});

it("caps channels, joins, frames and the size of a frame", async () => {
  const { send, join, reply, closed } = await open();
  for (let count = 1; count <= 4; count += 1) join(String(count), `realtime:${count}`, config([]));
  expect(await reply("3")).toMatchObject({ status: "ok" });
  expect(await reply("4")).toMatchObject({ response: { reason: /^ChannelRateLimitReached/ } });
  for (let count = 11; count <= 30; count += 1) join(String(count), "realtime:1", config([]));
  expect(await reply("30")).toMatchObject({ response: { reason: /^ClientJoinRateLimitReached/ } });
  for (let count = 0; count < 100; count += 1) send(null, "h", "phoenix", "heartbeat", {});
  await until(() => closed.length === 1);
  expect(closed[0]?.code).toBe(1008);

  const large = await open();
  large.send(null, "1", "phoenix", "heartbeat", { text: "x".repeat(64 * 1024) });
  await until(() => large.closed.length === 1);
  expect(large.closed[0]?.code).toBe(1009);
});

it("cuts off who does not read, and who says nothing", async () => {
  const token = await signIn(server);
  await server.sql.unsafe(`
    create table large (id int primary key, body text);
    alter publication supabase_realtime add table large`);
  const deaf = await open();
  const changes = config([{ event: "INSERT", schema: "public", table: "large" }]);
  deaf.join("1", TOPIC, { ...changes, access_token: token });
  await deaf.reply("1");
  deaf.socket.pause();
  // More than the system's own buffers hold.
  for (let id = 0; id < 60; id += 1)
    await server.sql`insert into large values (${id}, ${"x".repeat(900_000)})`;
  deaf.socket.resume();
  await until(() => deaf.closed.length === 1);
  expect(deaf.closed[0]?.code).toBe(1006);
  expect(deaf.frames.length).toBeLessThan(60);

  const silent = await open();
  await until(() => silent.closed.length === 1, 6_000);
});
