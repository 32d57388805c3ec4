import { expect, onTestFinished, test } from "vitest";
import { disconnectAll, signIn, subscribe, until } from "#tests/support/realtime/clients.ts";
import { createNotes, fence } from "#tests/support/realtime/notes.ts";
import { startRealtimeServer } from "#tests/support/realtime/server.ts";
import { openSocket } from "#tests/support/realtime/socket.ts";

async function start() {
  const server = await startRealtimeServer();
  onTestFinished(async () => {
    await disconnectAll();
    await server.close();
  });
  return server;
}

test("makes clients rejoin when the change stream is lost", async () => {
  const server = await start();
  const { superuser } = server;
  const { events, statuses } = await subscribe(server, await signIn(server));
  const insert = (text: string) => server.sql`
    insert into contact_messages (name, email, message) values ('x', 'x@example.org', ${text})`;
  await insert("before");
  await until(() => events.length === 1);
  await superuser`select pg_terminate_backend(active_pid) from pg_replication_slots`;
  await until(() => statuses.filter((status) => status === "SUBSCRIBED").length === 2);
  expect(statuses).toContain("CHANNEL_ERROR");
  await insert("after");
  await until(() => events.some((event) => (event.new as { message: string }).message === "after"));
  expect(server.lines.at(0)).toMatch(/^Realtime lost the stream/);
  expect(server.lines.at(-1)).toBe("Realtime is connected again");
  const slots = await superuser`select temporary from pg_replication_slots`;
  expect(slots.map((slot) => slot["temporary"])).toEqual([true]);
});

test("a policy that takes too long affects no other subscriber and does not end the feed", async () => {
  const server = await start();
  await createNotes(server);
  await server.sql.script(`
    create policy slow on contact_messages as restrictive for select to authenticated
      using (auth.jwt() ->> 'slow' is null or pg_sleep(3) is not null)`);
  await server.superuser.script("alter role authenticator set statement_timeout = '1s'");
  const reader = await subscribe(server, await signIn(server));
  const slow = await subscribe(server, await signIn(server, { slow: "yes" }));
  await fence(server, reader);
  await until(() => slow.events.length === 1);
  await fence(server, reader);
  await until(() => slow.events.length === 2);
  // It learns that it must reload.
  expect(slow.events.every(({ errors }) => errors?.length === 1)).toBe(true);
  expect([...reader.statuses, ...slow.statuses]).toEqual(["SUBSCRIBED", "SUBSCRIBED"]);
});

test("refuses joins while the database is away", async () => {
  const server = await start();
  const token = await signIn(server);
  const { join, reply, frames } = await openSocket(server);
  await server.superuser.script("alter role supabase_replication_admin nologin");
  await server.superuser`select pg_terminate_backend(active_pid) from pg_replication_slots`;
  await until(() => server.lines.length > 0);
  join("1", token);
  expect(await reply("1")).toMatchObject({
    response: { reason: "UnableToConnectToProject: The database cannot be reached" },
  });
  await server.superuser.script("alter role supabase_replication_admin login");
  await until(() => server.lines.includes("Realtime is connected again"));
  join("2", token);
  expect(await reply("2")).toMatchObject({ status: "ok" });
  await until(() => frames.some((frame) => frame[3] === "system"));
});

test("closes sockets when it stops, so that clients reconnect", async () => {
  const server = await startRealtimeServer();
  const bare = await openSocket(server);
  const { client, statuses } = await subscribe(server, await signIn(server));
  const closing = server.close();
  await until(() => statuses.includes("CHANNEL_ERROR"));
  await closing;
  expect(bare.closed).toEqual([1012]);
  expect(client.realtime.isConnected()).toBe(false);
  await disconnectAll();
  const late = await openSocket(server);
  await until(() => late.closed.length === 1);
  expect(late.closed).toEqual([1012]);
});
