import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { connect, listen, signIn, until } from "#tests/support/realtime/clients.ts";
import { type RealtimeServer, startRealtimeServer } from "#tests/support/realtime/server.ts";
import {
  changesTopic,
  config,
  handshake,
  openSocket,
  terminateAll,
} from "#tests/support/realtime/socket.ts";

const inserts = [{ event: "INSERT", schema: "public", table: "contact_messages" }];

let server: RealtimeServer;

beforeAll(async () => {
  server = await startRealtimeServer({ bindingsPerChannel: 4 });
});
afterEach(terminateAll);
afterAll(() => server.close());

const refusal = (status: number) => ({ status, body: { error: expect.any(String) } });

test("refuses handshakes over HTTP with JSON", async () => {
  const path = "/realtime/v1/websocket";
  const key = server.keys.publishableKey;
  expect(await handshake(server, path)).toEqual(refusal(401));
  expect(await handshake(server, `${path}?apikey=sb_publishable_wrong`)).toEqual(refusal(401));
  expect(await handshake(server, `${path}?apikey=${key}&vsn=3.0.0`)).toEqual(refusal(400));
  expect(await handshake(server, `/realtime/v1/other?apikey=${key}`)).toEqual(refusal(404));
  expect(await handshake(server, `//%?apikey=${key}`)).toEqual(refusal(404));
  expect(
    await handshake(server, `${path}?apikey=${key}`, { "Sec-WebSocket-Version": "99" }),
  ).toEqual(refusal(400));
  expect((await handshake(server, path, { "x-api-key": key })).status).toBe(101);
  const origin = { Origin: "https://elsewhere.example" };
  expect((await handshake(server, `${path}?apikey=${key}`, origin)).status).toBe(101);
});

test("repeats the entries of a join with numeric ids, then reports the subscription", async () => {
  const { join, reply, frames } = await openSocket(server);
  const entries = [
    ...inserts,
    { event: "*", schema: "public", table: "contact_messages", filter: "name=eq.x" },
  ];
  const token = await signIn(server);
  join("6", changesTopic, { ...config(entries), access_token: token });
  expect(await reply("6")).toEqual({
    status: "ok",
    response: { postgres_changes: entries.map((entry, index) => ({ ...entry, id: index + 1 })) },
  });
  await until(() => frames.length === 2);
  const message = "Subscribed to PostgreSQL";
  const system = { extension: "postgres_changes", status: "ok", message, channel: "changes" };
  expect(frames[1]).toEqual(["6", null, changesTopic, "system", system]);

  await server.sql`
    insert into contact_messages (name, email, message) values ('x', 'x@example.org', 'both')`;
  await until(() => frames.length === 3);
  expect(frames[2]).toMatchObject([
    null,
    null,
    changesTopic,
    "postgres_changes",
    {
      ids: [1, 2],
      data: { columns: expect.arrayContaining([{ name: "created_at", type: "timestamptz" }]) },
    },
  ]);
});

test("uses serializer 1.0.0 without a version", async () => {
  const { socket, frames } = await openSocket(server, `apikey=${server.keys.publishableKey}`);
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

test("answers heartbeats, leaves, unknown topics and repeated joins as Phoenix does", async () => {
  const { send, join, reply, frames } = await openSocket(server);
  send(null, "1", "phoenix", "heartbeat", {});
  expect(await reply("1")).toEqual({ status: "ok", response: {} });
  send("2", "2", "realtime:nowhere", "hello", {});
  expect(await reply("2")).toEqual({ status: "error", response: { reason: "unmatched topic" } });
  join("3", "realtime:");
  expect(await reply("3")).toMatchObject({ response: { reason: /^TopicNameRequired/ } });
  join("4", changesTopic, config([]));
  expect(await reply("4")).toEqual({ status: "ok", response: { postgres_changes: [] } });
  join("5", changesTopic, config([]));
  expect(await reply("5")).toMatchObject({ status: "ok" });
  expect(frames).toContainEqual(["4", "4", changesTopic, "phx_close", {}]);
  send("4", "late", changesTopic, "phx_leave", {});
  expect(await reply("late")).toEqual({ status: "ok", response: {} });
  expect(frames.filter((frame) => frame[3] === "phx_close")).toHaveLength(1);
  join("outside", "elsewhere");
  expect(await reply("outside")).toMatchObject({ response: { reason: "unmatched topic" } });
  send("5", "6", changesTopic, "phx_leave", {});
  expect(await reply("6")).toEqual({ status: "ok", response: {} });
  await until(() => frames.some((frame) => frame[3] === "phx_close" && frame[0] === "5"));
});

test("accepts broadcast and presence in a join and relays neither", async () => {
  const client = connect(server);
  const channel = client.channel("talk", {
    config: { broadcast: { ack: true }, presence: { enabled: true, key: "me" } },
  });
  await listen(channel, inserts[0] ?? {}).subscribed;
  const answer = await channel.send({ type: "broadcast", event: "سلام", payload: { a: "ب" } });
  expect(answer).toBe("error");
  expect(await channel.track({ here: true })).toBe("error");
  await client.removeAllChannels();
  await client.realtime.disconnect();
});

test("accepts a join without entries, with null entries and with a key as its token", async () => {
  const { join, reply, frames } = await openSocket(server);
  join("1", "realtime:none", {});
  expect(await reply("1")).toEqual({ status: "ok", response: { postgres_changes: [] } });
  const payload = { ...config([null, inserts[0]]), access_token: server.keys.publishableKey };
  join("2", changesTopic, payload);
  expect(await reply("2")).toEqual({
    status: "ok",
    response: { postgres_changes: [{ ...inserts[0], id: 1 }] },
  });
  await until(() => frames.some((frame) => frame[3] === "system"));
});

test("repeats a payload of 32 levels without a fault", async () => {
  const { socket, frames } = await openSocket(server);
  const nested = `${"[".repeat(27)}${"]".repeat(27)}`;
  const entry = `{"schema":"public","table":"contact_messages","x":${nested}}`;
  const payload = `{"config":{"postgres_changes":[${entry}]}}`;
  socket.send(`["1","1","${changesTopic}","phx_join",${payload}]`);
  await until(() => frames.length > 0);
  const response = { postgres_changes: [{ ...JSON.parse(entry), id: 1 }] };
  expect(frames[0]?.[4]).toEqual({ status: "ok", response });
  expect(server.lines).toEqual([]);
});

test.each([
  ["not JSON", "{", false],
  ["no frame", "{}", false],
  ["a wrong list", "[1,2,3]", false],
  ["deep nesting", "[".repeat(60_000), false],
  ["33 levels", `[null,"1","phoenix","heartbeat",${"[".repeat(32)}${"]".repeat(32)}]`, false],
  ["a long ref", JSON.stringify([null, "1".repeat(65), "phoenix", "heartbeat", {}]), false],
  ["a long topic", JSON.stringify([null, "1", "x".repeat(1_001), "heartbeat", {}]), false],
  ["a long event", JSON.stringify([null, "1", "phoenix", "x".repeat(201), {}]), false],
  ["an empty binary frame", Buffer.alloc(0), true],
  ["an unknown binary frame", Buffer.from([9, 1, 1]), true],
  ["a truncated broadcast", Buffer.from([3, 255, 255, 255, 255, 255, 1, 0]), true],
])("closes a socket that sends %s", async (_name, data, binary) => {
  const { socket, closed } = await openSocket(server);
  socket.send(data, { binary });
  await until(() => closed.length === 1);
  expect(closed[0]?.code).toBe(1007);
});

test.each([
  ["strings for lists", { config: { postgres_changes: "x" } }],
  ["a list for a payload", []],
  ["a number for a token", { ...config([]), access_token: 5 }],
  ["too many changes", config(Array.from({ length: 5 }, () => inserts[0]))],
])("refuses a join with %s", async (_name, payload) => {
  const { join, reply } = await openSocket(server);
  join("1", changesTopic, payload);
  expect(await reply("1")).toMatchObject({
    status: "error",
    response: { reason: expect.any(String) },
  });
});
