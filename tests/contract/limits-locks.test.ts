import type { Sql } from "embedded-supabase/testing";
import { afterAll, expect, test } from "vitest";
import { startTestDatabase } from "#tests/support/database.ts";

const database = await startTestDatabase();
afterAll(() => database.close());

/** Runs as a visitor at an address, in one transaction. */
function asVisitor<T>(address: string, run: (sql: Sql) => Promise<T>) {
  return database.sql.begin(async (sql) => {
    const headers = JSON.stringify({ "x-forwarded-for": address });
    await sql`select set_config('request.headers', ${headers}, true)`;
    await sql`set local role anon`;
    return run(sql);
  });
}

const insert = (sql: Sql, texts: string[]) => sql`
  insert into public.contact_messages (name, email, message)
  select 'n', 'a@example.com', unnest(${texts}::text[])`;

const texts = (count: number) => Array.from({ length: count }, (_, index) => `row ${index}`);

const attempt = (from: number, account: number) =>
  asVisitor(
    `10.0.0.${from}`,
    (sql) => sql`select public.take_attempt('sign-in', ${`account${account}`})`,
  );

test("a visitor's insert has no more messages than the limit, an import's has any number", async () => {
  const tooMany = asVisitor("192.0.2.1", (sql) => insert(sql, texts(11)));
  await expect(tooMany).rejects.toMatchObject({ code: "PT429" });
  await database.sql.begin((sql) => insert(sql, texts(50)));
});

test("only equal messages wait for a lock, for a second at most", async () => {
  await asVisitor("192.0.2.2", async (holder) => {
    await insert(holder, ["held"]);
    await asVisitor("192.0.2.3", (sql) => insert(sql, ["another"]));
    const start = performance.now();
    const waiting = asVisitor("192.0.2.3", (sql) => insert(sql, ["held"]));
    await expect(waiting).rejects.toMatchObject({ code: "55P03" });
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

test("a flood of repeats does not hold up another visitor", async () => {
  const equal = Array.from({ length: 15_000 }, () => "the same flood");
  const flood = Array.from({ length: 20 }, () =>
    asVisitor("192.0.2.5", (sql) => insert(sql, equal)).catch(({ code }) => code),
  );
  const start = performance.now();
  await asVisitor("192.0.2.6", (sql) => insert(sql, ["one message"]));
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(new Set(await Promise.all(flood))).toEqual(new Set(["PT429"]));
});

test("no message waits for another's count", async () => {
  await database.superuser.begin(async (holder) => {
    const held = await holder`select from private.message_counts for update`;
    expect(held.length).toBeGreaterThan(0);
    const start = performance.now();
    await asVisitor("192.0.2.4", (sql) => insert(sql, ["counted"]));
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

test("simultaneous inserts do not wait for each other to delete expired counts", async () => {
  for (let round = 0; round < 20; round += 1) {
    await database.sql`
      insert into private.attempts (name, subject, points, expires_at)
      select 'sign-in', subject || number, 1, now() - interval '1 hour'
      from generate_series(1, 40) number, unnest(array['address 10.0.0.', 'account account']) subject
      on conflict (name, subject) do update set expires_at = excluded.expires_at`;
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
    const all = Promise.all(numbers.map((number) => attempt(number, 41 - number)));
    await expect(all).resolves.toHaveLength(40);
  }
});
