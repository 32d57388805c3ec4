import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { startLiveServer } from "./support/live-server.ts";

const server = await startLiveServer();
afterAll(() => server.close());
// A slow policy reaches it. Without the option it is 8 s.
await server.superuser`alter role authenticator set statement_timeout = '1s'`;
const { sql, store, signIn, listen } = server;

const storeMany = (text: string, count: number) => sql`
  insert into notes (text) select ${text} || ' ' || i from generate_series(1, ${count}::int) i`;

test("an insert arrives with its row, an update as a reload, and a deletion not at all", async () => {
  const { heard, stop } = await listen(await signIn());
  const text = `a line\n"quoted" \\ 😀${"\u0645".repeat(4_000)}`;
  const [row] = await sql`
    insert into notes (text) values (${text}) returning id, to_jsonb(notes) as record`;
  await expect.poll(() => heard).toEqual([row?.["record"]]);
  await sql`update notes set author = null where id = ${row?.["id"]}`;
  await expect.poll(() => heard.slice(1)).toEqual([undefined]);
  await sql`delete from notes where id = ${row?.["id"]}`;
  await store("after the deletion");
  await expect.poll(() => heard.slice(2)).toMatchObject([{ text: "after the deletion" }]);
  const other = await listen(await signIn());
  stop();
  await store("after the stop");
  await expect.poll(other.texts).toEqual(["after the stop"]);
  expect(heard).toHaveLength(3);
  other.stop();
});

/** Inserts a note in a transaction that commits after another one. */
const insert = (text: string, before: Promise<unknown>, fails = false) =>
  sql
    .begin(async (transaction) => {
      await transaction`insert into notes (text) values (${text})`;
      await before;
      if (fails) {
        throw new Error("rolled back");
      }
    })
    .catch(() => undefined);

test("changes arrive in the order of the commits, and those of a rollback not at all", async () => {
  const { texts, stop } = await listen(await signIn());
  const start = Promise.withResolvers<void>();
  const last = insert("third", insert("second", insert("first", start.promise)));
  const failing = insert("undone", start.promise, true);
  start.resolve();
  await Promise.all([last, failing]);
  await expect.poll(texts).toEqual(["first", "second", "third"]);
  stop();
});

test("up to 100 rows of one statement arrive one by one, and more are one reload", async () => {
  const { texts, stop } = await listen(await signIn());
  await storeMany("each", 100);
  await expect.poll(() => new Set(texts()).size).toBe(100);
  await storeMany("many", 101);
  await sql`update notes set author = null`;
  await sql`update notes set author = null where false`;
  await store("last");
  await expect.poll(() => texts().slice(100)).toEqual([undefined, undefined, "last"]);
  stop();
});

test("a session hears of nothing that it may not see, nor after its token has expired", async () => {
  await sql.script(`
    drop policy everybody on public.notes;
    create policy named on public.notes for select to authenticated
      using (text in ('all', auth.jwt() ->> 'name'))`);
  const { texts, stop } = await listen(await signIn({ name: "one" }));
  await store("other");
  await sql`update notes set author = null where text = 'other'`;
  await store("one");
  await store("all");
  await expect.poll(texts).toEqual(["one", "all"]);
  stop();
  const late = await listen(await signIn({ exp: Math.floor(Date.now() / 1000) + 2 }));
  await store("all");
  await expect.poll(late.texts).toEqual(["all"]);
  await sleep(2_000);
  await store("all");
  await expect.poll(late.texts).toEqual(["all", "ended"]);
  await store("all");
});

test("a token that is expired, forged or no account's is refused", async () => {
  const good = await signIn();
  for (const token of [
    "",
    `${good}A`,
    await signIn({ exp: 1 }),
    await signIn({ role: "service_role" }),
  ]) {
    await expect(listen(token)).rejects.toThrow("refused");
  }
});

test("a policy that fails or is slow for one session affects no other, which only reloads", async () => {
  await sql.script(`
    create policy fragile on public.notes as restrictive for select to authenticated
      using (coalesce((auth.jwt() ->> 'number')::int, 1) > 0);
    create policy slow on public.notes as restrictive for select to authenticated
      using (auth.jwt() ->> 'slow' is null or pg_sleep(10) is not null)`);
  const sound = await listen(await signIn());
  const broken = await listen(await signIn({ number: "x" }));
  const slow = await listen(await signIn({ slow: "yes" }));
  await store("all");
  await store("all");
  await expect.poll(sound.texts).toEqual(["all", "all"]);
  await expect.poll(() => broken.heard).toContain(undefined);
  await expect.poll(() => slow.heard).toEqual([undefined]);
  expect(new Set(server.lines)).toEqual(
    new Set([
      "Live updates could not read rows as an account 22P02",
      "Live updates could not read rows as an account 57014",
    ]),
  );
  [sound, broken, slow].forEach(({ stop }) => stop());
});

test("what somebody sends to the channel by hand does no harm", async () => {
  const { texts, stop } = await listen(await signIn());
  for (const payload of ["", "x", "insert x auth.users", "insert x public.notes t, y"]) {
    await sql`select pg_notify('changes', ${payload})`;
  }
  await store("all");
  await expect.poll(texts).toEqual(["all"]);
  stop();
});
