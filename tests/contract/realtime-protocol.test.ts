import { afterAll, afterEach, expect, test } from "vitest";
import { disconnectAll, signIn, subscribe, until } from "#tests/support/realtime/clients.ts";
import { startRealtimeServer } from "#tests/support/realtime/server.ts";
import { messageChanges, openSocket, topic } from "#tests/support/realtime/socket.ts";

const server = await startRealtimeServer();
afterAll(() => server.close());
afterEach(disconnectAll);
const token = await signIn(server);

test("repeats the entries of a join with numeric ids, then reports the subscription", async () => {
  const { join, reply, frames } = await openSocket(server);
  const entries = [...messageChanges, { ...messageChanges[0], event: "UPDATE" }];
  join("6", token, entries);
  expect(await reply("6")).toEqual({
    status: "ok",
    response: { postgres_changes: entries.map((entry, index) => ({ ...entry, id: index + 1 })) },
  });
  await until(() => frames.length === 2);
  const message = "Subscribed to PostgreSQL";
  const system = { extension: "postgres_changes", status: "ok", message, channel: "changes" };
  expect(frames[1]).toEqual(["6", null, topic, "system", system]);

  await server.sql`
    insert into contact_messages (name, email, message) values ('x', 'x@example.org', 'one')`;
  await until(() => frames.length === 3);
  expect(frames[2]).toMatchObject([
    null,
    null,
    topic,
    "postgres_changes",
    { ids: [1], data: { type: "INSERT", errors: null } },
  ]);
});

test("answers heartbeats and leaves; a second join replaces the first", async () => {
  const { send, join, reply, frames } = await openSocket(server);
  send(null, "1", "phoenix", "heartbeat", {});
  expect(await reply("1")).toEqual({ status: "ok", response: {} });
  join("4", token);
  expect(await reply("4")).toMatchObject({ status: "ok" });
  join("5", token);
  expect(await reply("5")).toMatchObject({ status: "ok" });
  expect(frames).toContainEqual(["4", "4", topic, "phx_close", {}]);
  send("4", "late", topic, "phx_leave", {});
  expect(await reply("late")).toEqual({ status: "ok", response: {} });
  send("4", null, topic, "access_token", { access_token: "of the first join" });
  const count = () => frames.filter(([, , , event]) => event === "postgres_changes").length;
  await server.sql`
    insert into contact_messages (name, email, message) values ('x', 'x@example.org', 'once')`;
  await until(count);
  send("5", "6", topic, "phx_leave", {});
  expect(await reply("6")).toEqual({ status: "ok", response: {} });
  await until(() => frames.some((frame) => frame[3] === "phx_close" && frame[0] === "5"));
  await server.sql`
    insert into contact_messages (name, email, message) values ('x', 'x@example.org', 'unheard')`;
  send(null, "last", "phoenix", "heartbeat", {});
  await reply("last");
  expect(count()).toBe(1);
});

test("reports a table that is not published, and delivers nothing of it", async () => {
  await server.sql.script("alter publication supabase_realtime drop table contact_messages");
  const { system, statuses } = await subscribe(server, token);
  await until(() => system.length === 1);
  expect(system[0]).toMatchObject({ status: "error", message: /check Realtime is enabled/ });
  expect(statuses).toEqual(["SUBSCRIBED"]);
  await server.sql.script("alter publication supabase_realtime add table contact_messages");
});

const entry = messageChanges[0];
test.each([
  ["no JSON", "{"],
  ["an event of no call of the site", `["1","1","${topic}","broadcast",{}]`],
  ["a filter", [{ ...entry, filter: "name=eq.x" }]],
  ["another table", [{ ...entry, table: "users" }]],
  ["no entry", []],
])("closes a socket that sends %s, and logs no text of it", async (_name, sent) => {
  const { socket, join, closed } = await openSocket(server);
  if (typeof sent === "string") {
    socket.send(sent);
  } else {
    join("1", token, sent);
  }
  await until(() => closed.length === 1);
  expect(closed).toEqual([1011]);
  expect(server.lines.splice(0)).toEqual([
    expect.stringMatching(/^Realtime could not handle a frame (SyntaxError|ZodError)$/),
  ]);
});

test("looks like a WebSocket: events come later, in order, and none after the close", async () => {
  const socket = new server.transport("ws://localhost/realtime/v1/websocket?vsn=2.0.0");
  const heard: string[] = [];
  for (const type of ["open", "message", "close"]) {
    socket.addEventListener(type, () => void heard.push(type));
  }
  const heartbeat = JSON.stringify([null, "1", "phoenix", "heartbeat", {}]);
  expect(socket.readyState).toBe(0);
  expect(() => socket.send(heartbeat)).toThrow("not open");
  await until(() => socket.readyState === 1);
  socket.send(heartbeat);
  expect(heard).toEqual(["open"]);
  await until(() => heard.length === 2);
  socket.send(heartbeat);
  socket.close();
  socket.close(4000);
  await until(() => socket.readyState === 3);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(heard).toEqual(["open", "message", "close"]);
  expect(() => socket.send(heartbeat)).toThrow("not open");
});
