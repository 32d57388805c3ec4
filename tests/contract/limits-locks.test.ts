import { afterAll, expect, test } from "vitest";
import { startTestDatabase } from "#tests/support/database.ts";

const database = await startTestDatabase();
afterAll(() => database.close());

/** Leaves a message as the site does for a visitor. Its transaction ends with `held`. */
function leave(message: string, last: number, held?: () => Promise<unknown>) {
  return database.sql.begin(async (sql) => {
    const sent = JSON.stringify({ name: "n", email: "a@example.com", message });
    const [answer] = await sql<{ wait_seconds: number | null }>`
      select wait_seconds
      from public.leave_message(${sent}::text::jsonb, ${`192.0.2.${last}`}::text::inet)`;
    await held?.();
    return answer?.wait_seconds;
  });
}

const attempt = (from: number, account: number) =>
  database.sql.begin(
    (sql) => sql`
      select public.take_attempt('sign-in', ${`account${account}`}, ${`10.0.0.${from}`}::inet)`,
  );

test("only equal messages wait for a lock, for a second at most", async () => {
  await leave("held", 2, async () => {
    await leave("another", 3);
    const start = performance.now();
    await expect(leave("held", 3)).rejects.toMatchObject({ code: "55P03" });
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

test("a flood of one address does not hold up another visitor", async () => {
  const flood = Array.from({ length: 100 }, (_, number) => leave(`flood ${number % 5}`, 5));
  const start = performance.now();
  expect(await leave("one message", 6)).toBeNull();
  expect(performance.now() - start).toBeLessThan(5_000);
  const waits = await Promise.all(flood);
  expect(waits.filter((wait) => wait === null)).toHaveLength(10);
});

test("simultaneous attempts do not wait for each other to delete expired counts", async () => {
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
