import { expect, onTestFinished, test } from "vitest";
import { startLiveServer } from "./support/live-server.ts";

async function start() {
  const server = await startLiveServer();
  onTestFinished(() => server.close());
  const cut = () => server.superuser`
    select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen changes'`;
  return { ...server, cut };
}

test("a new connection after a lost one tells everybody to reload, and loses nothing more", async () => {
  const { signIn, listen, store, cut, lines } = await start();
  const first = await listen(await signIn());
  const second = await listen(await signIn());
  await store("before");
  await expect.poll(first.texts).toEqual(["before"]);
  expect(await cut()).toHaveLength(1);
  await expect.poll(second.texts).toEqual(["before", undefined]);
  await store("after");
  for (const { texts } of [first, second]) {
    await expect.poll(texts).toEqual(["before", undefined, "after"]);
  }
  expect(lines).toEqual([expect.stringMatching(/^Live updates lost their connection/)]);
});

test("while the database is away nobody listens, afterwards everybody may", async () => {
  const { signIn, listen, store, cut, lines, superuser } = await start();
  const token = await signIn();
  const early = await listen(token);
  await superuser.script("alter role authenticator nologin");
  await cut();
  await expect.poll(() => early.heard).toEqual(["ended"]);
  await expect(listen(token)).rejects.toThrow("away");
  await superuser.script("alter role authenticator login");
  await expect.poll(() => lines.at(-1), { timeout: 10_000 }).toMatch(/have a new one$/);
  const late = await listen(token);
  await store("when it is back");
  await expect.poll(late.texts).toEqual(["when it is back"]);
  expect(lines[0]).toBe("Live updates cannot connect to the database 28000");
});

test("a reader that is far behind hears of one reload", async () => {
  const { signIn, listen, sql, store } = await start();
  await sql.script(`
    create policy late on public.notes as restrictive for select to authenticated
      using ((select pg_advisory_xact_lock_shared(1)) is not null)`);
  const { texts } = await listen(await signIn());
  const told = Promise.withResolvers<void>();
  const held = sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(1)`;
    await told.promise;
  });
  await store("first");
  for (let index = 0; index < 1_100; index += 1) {
    await sql`select pg_notify('changes', ${`insert ${crypto.randomUUID()} public.notes`})`;
  }
  await store("last");
  told.resolve();
  await held;
  await expect.poll(texts, { timeout: 10_000 }).toEqual(["first", undefined, "last"]);
});

test("everybody who listens is told when it stops, and nobody may listen later", async () => {
  const server = await startLiveServer();
  const token = await server.signIn();
  const { heard } = await server.listen(token);
  await server.close();
  expect(heard).toEqual(["ended"]);
  await expect(server.listen(token)).rejects.toThrow("away");
});
