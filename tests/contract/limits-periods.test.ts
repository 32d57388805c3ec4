import { afterAll, expect, test } from "vitest";
import { startTestDatabase } from "#tests/support/database.ts";

const database = await startTestDatabase();
afterAll(() => database.close());

/** Counts a mail of one kind to one address, or an attempt of a visitor at one account. */
const ask = {
  mail: "select public.request_mail('recovery', 'a@example.com') as wait",
  attempt: "select public.take_attempt($1, 'a@example.com', '192.0.2.1') as wait",
};

// Of mails to a mailbox one more is sent, before the first interval.
test.each([
  ["mail-again", 1, "1 minute", ask.mail],
  ["mailbox-hour", 7, "1 hour", ask.mail],
  ["mailbox-day", 21, "1 day", ask.mail],
  ["sign-in", 10, "10 minutes", ask.attempt],
  ["sign-up", 10, "1 hour", ask.attempt],
  ["mail", 5, "1 hour", ask.attempt],
  ["code", 10, "10 minutes", ask.attempt],
  ["mailed-code", 5, "10 minutes", ask.attempt],
  ["claim", 10, "10 minutes", ask.attempt],
])("%s allows %i, and more after %s but no earlier", async (limit, most, period, statement) => {
  // In a transaction the clock stands still.
  await database.superuser.begin(async (sql) => {
    await sql`delete from private.attempts`;
    const isAllowed = async () => {
      const values = statement === ask.attempt ? [limit] : [];
      const [row] = await sql.unsafe<{ wait: number | null }>(statement, values);
      // Each limit by itself.
      await sql`delete from private.attempts where name <> ${limit}`;
      return row?.wait === null;
    };
    const pass = (time: string) =>
      sql`update private.attempts set expires_at = expires_at - ${time}::interval`;
    for (let number = 1; number <= most; number += 1) {
      expect([number, await isAllowed()]).toEqual([number, true]);
    }
    expect(await isAllowed()).toBe(false);
    await pass(period);
    expect(await isAllowed()).toBe(false);
    await pass("1 millisecond");
    expect(await isAllowed()).toBe(true);
  });
});
