import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { type LiveServer, startLiveServer } from "./support/live-server.ts";
import { postmasterPid } from "./support/processes.ts";

async function start() {
  const server = await startLiveServer();
  onTestFinished(() => server.close());
  return server;
}

const cut = ({ superuser }: LiveServer) => superuser`
  select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen changes'`;

const kill = async ({ dataDir }: LiveServer) =>
  process.kill(await postmasterPid(dataDir), "SIGKILL");

test("a lost connection and a kill of the database end all listeners; those who listen again lose nothing", async () => {
  const server = await start();
  const { signIn, listen, store, lines, isConnected } = server;
  for (const breakIt of [cut, kill]) {
    const token = await signIn();
    const first = await listen(token);
    const second = await listen(await signIn());
    await store("before");
    for (const { texts } of [first, second]) {
      await expect.poll(texts).toEqual(["before"]);
    }
    await breakIt(server);
    for (const { texts } of [first, second]) {
      await expect.poll(texts).toEqual(["before", "ended"]);
    }
    await expect.poll(isConnected).toBe(true);
    const third = await listen(token);
    await store("after");
    await expect.poll(third.texts).toEqual(["after"]);
    expect(first.texts()).toEqual(["before", "ended"]);
    expect(lines.splice(0).join("\n")).toContain("Live updates lost their connection");
  }
});

test("a connection that cannot be had is tried ever more rarely, and nobody listens meanwhile", async () => {
  const server = await start();
  const { signIn, listen, store, lines, superuser, isConnected } = server;
  const token = await signIn();
  await superuser.script("alter role authenticator nologin");
  const cutAt = performance.now();
  await cut(server);
  await expect.poll(isConnected).toBe(false);
  await expect(listen(token)).rejects.toThrow("no connection");
  await expect.poll(() => lines.length).toBe(4);
  expect(new Set(lines)).toEqual(new Set(["Live updates cannot connect to the database 28000"]));
  // After 100, 200, 400 and 800 ms.
  expect(performance.now() - cutAt).toBeGreaterThan(1_500);
  await superuser.script("alter role authenticator login");
  await expect.poll(isConnected, { timeout: 10_000 }).toBe(true);
  const { texts } = await listen(token);
  await store("when it is back");
  await expect.poll(texts).toEqual(["when it is back"]);
  expect(lines.at(-1)).toMatch(/have a new one$/);
});

/** Lets all reads wait until the returned function is called. Each is counted when it ends. */
async function holdReads({ sql, login }: LiveServer) {
  await sql.script(`
    create policy late on public.notes as restrictive for select to authenticated
      using ((select pg_notify('reads', '')) is not null
        and (select pg_advisory_xact_lock_shared(1)) is not null)`);
  const client = new Client(login("authenticator"));
  onTestFinished(() => client.end());
  await client.connect();
  await client.query("listen reads");
  let reads = 0;
  client.on("notification", () => (reads += 1));
  const [locked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(1)`;
    locked.resolve();
    await over.promise;
  });
  await locked.promise;
  return {
    reads: () => reads,
    /** How many reads wait. */
    waiting: async () =>
      (await sql`select from pg_locks where locktype = 'advisory' and not granted`).length,
    release() {
      over.resolve();
      return held;
    },
  };
}

test("what commits during a read is read at once after it", async () => {
  const server = await start();
  const { reads, waiting, release } = await holdReads(server);
  const { texts } = await server.listen(await server.signIn());
  await server.store("first");
  await expect.poll(waiting).toBe(1);
  const later = ["second", "third", "fourth"];
  // In one commit: the listening connection may hear of three one by one, each after a read.
  await server.sql`insert into notes (text) select unnest(${later}::text[])`;
  await release();
  await expect.poll(texts).toEqual(["first", ...later]);
  await expect.poll(reads).toBe(2);
});

test("a reader that is far behind hears of one reload", async () => {
  const server = await start();
  const { signIn, listen, sql, store } = server;
  const { waiting, release } = await holdReads(server);
  const { texts } = await listen(await signIn());
  await store("first");
  await expect.poll(waiting).toBe(1);
  // In one statement: the read that is held is given up after eight seconds.
  await sql`
    select pg_notify('changes', 'insert ' || gen_random_uuid() || ' public.notes')
    from generate_series(1, 1100)`;
  await store("last");
  await release();
  await expect.poll(texts, { timeout: 10_000 }).toEqual(["first", undefined, "last"]);
});

test("every listener learns that it stops", async () => {
  const server = await startLiveServer();
  const { heard } = await server.listen(await server.signIn());
  await server.close();
  expect(heard).toEqual(["ended"]);
});
