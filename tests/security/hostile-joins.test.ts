import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn, until } from "#tests/support/realtime/clients.ts";
import { type RealtimeServer, startRealtimeServer } from "#tests/support/realtime/server.ts";
import { changesTopic, openSocket, terminateAll } from "#tests/support/realtime/socket.ts";

const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];
const table = { schema: "public", table: "odd" };

let server: RealtimeServer;
let token: string;
const builtIns = Object.getOwnPropertyNames(Object.prototype);

beforeAll(async () => {
  server = await startRealtimeServer();
  token = await signIn(server);
  const columns = names.map((name) => `"${name}" text`);
  await server.sql.unsafe(`
    create table public.odd (id int primary key, ${columns.join()});
    alter publication supabase_realtime add table public.odd`);
});
afterAll(async () => {
  await terminateAll();
  await server.close();
});

/** Sends the payload as text, because no object literal has an own `__proto__`. */
async function joinWith(payload: string) {
  const { socket, reply, frames } = await openSocket(server);
  socket.send(`["1","1","${changesTopic}","phx_join",${payload}]`);
  return { frames, answer: (await reply("1")) as { status: string } };
}

const system = (frames: unknown[][]) => frames.find((frame) => frame[3] === "system")?.[4];

test.each(names)("a payload with the key %s is treated as data", async (name) => {
  const poison = `"${name}":{"status":"poison","filter":"id=eq.1","config":{}}`;
  const entry = `{${poison},"event":"*","schema":"public","table":"odd"}`;
  const { answer, frames } = await joinWith(
    `{${poison},"config":{${poison},"postgres_changes":[${entry}]},"access_token":"${token}"}`,
  );
  expect(answer.status).toBe("ok");
  await until(() => system(frames));
  expect(system(frames)).toMatchObject({ status: "ok" });
  await server.sql`insert into odd (id) values (2)`;
  await until(() => frames.some((frame) => frame[3] === "postgres_changes"));
  await server.sql`delete from odd`;
});

test.each(names)("a column named %s can be filtered, selected and delivered", async (name) => {
  const binding = { event: "INSERT", ...table, filter: `${name}=eq.a`, select: [name] };
  const payload = { config: { postgres_changes: [binding] }, access_token: token };
  const { frames } = await joinWith(JSON.stringify(payload));
  await until(() => system(frames));
  expect(system(frames)).toMatchObject({ status: "ok" });
  for (const [id, value] of ["b", "a"].entries()) {
    await server.sql`insert into odd ${server.sql({ id, [name]: value })}`;
  }
  await until(() => frames.some((frame) => frame[3] === "postgres_changes"));
  const events = frames.filter((frame) => frame[3] === "postgres_changes");
  const records = events.map((frame) => (frame[4] as { data: { record: object } }).data.record);
  expect(records.map((record) => Object.entries(record))).toEqual([
    [
      ["id", 1],
      [name, "a"],
    ],
  ]);
  await server.sql`delete from odd`;
});

test.each(names)("an unknown table, column or operator named %s is refused", async (name) => {
  const bindings = [
    { schema: name, table: name },
    { ...table, table: "contact_messages", filter: `${name}=eq.1` },
    { ...table, filter: `id=${name}.1` },
    { ...table, table: "contact_messages", select: [name] },
  ];
  for (const binding of bindings) {
    const payload = { config: { postgres_changes: [binding] }, access_token: token };
    const { frames } = await joinWith(JSON.stringify(payload));
    await until(() => system(frames));
    expect(system(frames)).toMatchObject({ status: "error" });
  }
});

test("no object has gained a property", () => {
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(builtIns);
});
