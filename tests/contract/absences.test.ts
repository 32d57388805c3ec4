import { afterAll, beforeEach, expect, test } from "vitest";
import { asAccount, startInbox } from "#tests/support/inbox.ts";
import { asRole } from "#tests/support/messages.ts";

const { database, owner } = await startInbox();
afterAll(() => database.close());
beforeEach(async () => {
  await database.superuser`delete from private.absences`;
});

const dayMs = 86_400_000;
/** A day so many days after today's. */
const inDays = (count: number) => new Date(Date.now() + count * dayMs).toISOString().slice(0, 10);

const add = async (first: string, last: string) => {
  const [row] = await asAccount(
    database,
    owner,
    (sql) => sql`select public.add_absence(${first}::text::date, ${last}::text::date) as refusal`,
  );
  return row?.["refusal"];
};
const end = async (first: string) => {
  const [row] = await asAccount(
    database,
    owner,
    (sql) =>
      sql`select public.end_absence(${first}::text::date, ${inDays(0)}::text::date) as found`,
  );
  return row?.["found"];
};
const insert = (first: string, last: string) =>
  database.superuser`
    insert into private.absences values (${first}::text::date, ${last}::text::date)`;
/** As the site reads them. */
const read = async () => {
  const rows = await asRole(
    database.sql,
    { role: "service_role" },
    (sql) => sql<{ days: string }>`
      select first_day || ' ' || last_day as days from public.read_absences()`,
  );
  return rows.map(({ days }) => days);
};

test("the site reads them, the oldest first", async () => {
  expect(await add(inDays(9), inDays(9))).toBeNull();
  expect(await add(inDays(1), inDays(3))).toBeNull();
  expect(await read()).toEqual([`${inDays(1)} ${inDays(3)}`, `${inDays(9)} ${inDays(9)}`]);
});

test.each([
  ["of which one contains the other", 1, 9, 3, 4],
  ["that begin on one day", 1, 2, 1, 3],
  ["that share a day", 1, 3, 3, 5],
])("two %s overlap", async (_which, first, last, otherFirst, otherLast) => {
  await add(inDays(first), inDays(last));
  expect(await add(inDays(otherFirst), inDays(otherLast))).toBe("overlap");
  expect(await read()).toHaveLength(1);
});

test("two may touch", async () => {
  await add(inDays(1), inDays(2));
  expect(await add(inDays(3), inDays(4))).toBeNull();
});

test.each([
  ["the last day before the first", 3, 2],
  ["367 days", 1, 367],
  ["a last day after more than two years", 700, 740],
])("the table refuses %s", async (_what, first, last) => {
  await expect(add(inDays(first), inDays(last))).rejects.toThrow(/absence_is_not_too/);
});

test("366 days are allowed, but no day without an end", async () => {
  expect(await add(inDays(1), inDays(366))).toBeNull();
  await expect(add(inDays(400), "infinity")).rejects.toThrow(/absence_is_not_too_far/);
});

test("twenty may be to come, and past ones do not count", async () => {
  for (let count = 0; count < 20; count += 1) {
    await insert(inDays(-100 + count), inDays(-100 + count));
    expect(await add(inDays(2 * count), inDays(2 * count))).toBeNull();
  }
  expect(await add(inDays(100), inDays(100))).toBe("full");
});

const waiting = () => database.superuser`select from pg_locks where not granted`;

test("of two that are added at once only one is the twentieth", async () => {
  for (let count = 0; count < 19; count += 1) {
    await insert(inDays(2 * count), inDays(2 * count));
  }
  let other: ReturnType<typeof add> | undefined;
  await asAccount(database, owner, async (sql) => {
    await sql`select public.add_absence(${inDays(100)}::text::date, ${inDays(100)}::text::date)`;
    other = add(inDays(200), inDays(200));
    await expect.poll(waiting).toHaveLength(1);
  });
  expect(await other).toBe("full");
});

test("one that has not begun, or begins today, is deleted", async () => {
  await add(inDays(0), inDays(2));
  await add(inDays(5), inDays(6));
  expect([await end(inDays(0)), await end(inDays(5))]).toEqual([true, true]);
  expect(await read()).toEqual([]);
});

test("one that runs ends yesterday, and its days remain days off", async () => {
  await insert(inDays(-3), inDays(4));
  expect(await end(inDays(-3))).toBe(true);
  expect(await read()).toEqual([`${inDays(-3)} ${inDays(-1)}`]);
  expect(await end(inDays(-3))).toBe(false);
  expect(await end(inDays(50))).toBe(false);
});

// That nobody but the owner changes them is in security/roles.test.ts.

test("past ones are swept when the messages of their days are", async () => {
  await insert(inDays(-800), inDays(-760));
  await insert(inDays(-700), inDays(-690));
  await asRole(database.sql, { role: "service_role" }, (sql) => sql`select public.sweep()`);
  expect(await read()).toEqual([`${inDays(-700)} ${inDays(-690)}`]);
});
