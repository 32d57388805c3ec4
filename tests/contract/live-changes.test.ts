import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { startLiveServer } from "#tests/support/live-server.ts";

const server = await startLiveServer();
afterAll(() => server.close());
const { sql, store, signIn, listen } = server;

const storeMany = (name: string, count: number) => sql`
  insert into contact_messages (name, email, message)
  select ${name} || ' ' || i, 'x@example.org', gen_random_uuid() from generate_series(1, ${count}::int) i`;

test("an insert is told with its row, an update and a deletion as a reload", async () => {
  const { heard, stop } = await listen(await signIn());
  const message = `خطّ\n"quoted" \\ 😀${"م".repeat(4_000)}`;
  const [row] = await sql`
    insert into contact_messages (name, email, message) values ('ليلى', 'x@example.org', ${message})
    returning id, to_jsonb(contact_messages) as record`;
  await expect.poll(() => heard).toEqual([row?.["record"]]);
  await sql`update contact_messages set note = 'x' where id = ${row?.["id"]}`;
  await expect.poll(() => heard.length).toBe(2);
  await sql`delete from contact_messages where id = ${row?.["id"]}`;
  await expect.poll(() => heard.slice(1)).toEqual([undefined, undefined]);
  stop();
  await store("بعد التوقف");
  const next = await listen(await signIn());
  await store("التالية");
  await expect.poll(next.names).toEqual(["التالية"]);
  expect(heard).toHaveLength(3);
  next.stop();
});

/** Inserts a message in a transaction that commits after another one. */
const insert = (name: string, before: Promise<unknown>, fails = false) =>
  sql
    .begin(async (transaction) => {
      await transaction`
        insert into contact_messages (name, email, message)
        values (${name}, 'x@example.org', ${crypto.randomUUID()})`;
      await before;
      if (fails) {
        throw new Error("rolled back");
      }
    })
    .catch(() => undefined);

test("changes are told in the order of the commits, rolled back ones not at all", async () => {
  const { names, stop } = await listen(await signIn());
  const start = Promise.withResolvers<void>();
  const last = insert("ثالثة", insert("ثانية", insert("أولى", start.promise)));
  const failing = insert("ملغاة", start.promise, true);
  start.resolve();
  await Promise.all([last, failing]);
  await expect.poll(names).toEqual(["أولى", "ثانية", "ثالثة"]);
  stop();
});

test("of up to 100 rows of one statement each is told, more are one reload", async () => {
  const { names, stop } = await listen(await signIn());
  await storeMany("كل", 100);
  await expect.poll(() => new Set(names()).size).toBe(100);
  await storeMany("كثيرة", 101);
  await sql`update contact_messages set note = 'x'`;
  await sql`update contact_messages set note = 'x' where false`;
  await store("الأخيرة");
  await expect.poll(() => names().slice(100)).toEqual([undefined, undefined, "الأخيرة"]);
  stop();
});

test("a session hears of nothing that it may not see, nor after its token has expired", async () => {
  await sql.script(`
    drop policy "the inbox is read by its readers" on public.contact_messages;
    create policy named on public.contact_messages for select to authenticated
      using (name in ('all', auth.jwt() ->> 'name'))`);
  const { names, stop } = await listen(await signIn({ name: "one" }));
  await store("other");
  await sql`update contact_messages set note = 'x' where name = 'other'`;
  await store("one");
  await store("all");
  await expect.poll(names).toEqual(["one", "all"]);
  stop();
  const late = await listen(await signIn({ exp: Math.floor(Date.now() / 1000) + 2 }));
  await store("all");
  await expect.poll(late.names).toEqual(["all"]);
  await sleep(2_000);
  await store("all");
  await expect.poll(late.names).toEqual(["all", "ended"]);
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
    create policy fragile on public.contact_messages as restrictive for select to authenticated
      using (coalesce((auth.jwt() ->> 'number')::int, 1) > 0);
    create policy slow on public.contact_messages as restrictive for select to authenticated
      using (auth.jwt() ->> 'slow' is null or pg_sleep(10) is not null)`);
  const sound = await listen(await signIn());
  const broken = await listen(await signIn({ number: "x" }));
  const slow = await listen(await signIn({ slow: "yes" }));
  await store("all");
  await store("all");
  await expect.poll(sound.names).toEqual(["all", "all"]);
  await expect.poll(() => broken.heard, { timeout: 4_000 }).toContain(undefined);
  expect(slow.heard).toEqual([]);
  // The timeout of a statement is 8 s.
  await expect.poll(() => slow.heard, { timeout: 20_000 }).toEqual([undefined]);
  expect(new Set(server.lines)).toEqual(
    new Set([
      "Live updates could not read rows as an account 22P02",
      "Live updates could not read rows as an account 57014",
    ]),
  );
  [sound, broken, slow].forEach(({ stop }) => stop());
}, 40_000);

test("what somebody sends to the channel by hand does no harm", async () => {
  const { names, stop } = await listen(await signIn());
  for (const payload of ["", "x", "insert x auth.users", "insert x public.contact_messages t, y"]) {
    await sql`select pg_notify('changes', ${payload})`;
  }
  await store("all");
  await expect.poll(names).toEqual(["all"]);
  stop();
});
