import { afterAll, beforeEach, expect, test } from "vitest";
import type { Sql } from "#embedded/sql.ts";
import { asAccount, inboxState, startInbox, store } from "#tests/support/inbox.ts";

const { database, owner, stranger, counts } = await startInbox();
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql`delete from public.contact_messages`;
});

const days = (count: number) => new Date(Date.now() - count * 24 * 60 * 60 * 1000);

test("only spam and trash can be emptied, of messages that were there", async () => {
  const empty = (box: string, account = owner, until = new Date()) =>
    asAccount(database, account, async (sql: Sql) => {
      const [row] = await sql`select public.empty_box(${box}, ${until}) as deleted`;
      return row?.["deleted"];
    });
  await store(database, [
    { message: "1", spam_signs: ["trap"], created_at: days(2) },
    { message: "2", spam_signs: ["trap"], created_at: days(0.5) },
    { message: "3", deleted_at: days(1) },
    { message: "4", archived_at: days(1) },
    { message: "5" },
  ]);
  for (const box of ["all", "waiting", "archived", "any"]) {
    await expect(empty(box)).rejects.toMatchObject({ code: "PT400" });
  }
  expect([await empty("spam", stranger), await empty("trash", stranger)]).toEqual([0, 0]);
  expect(await counts()).toEqual([1, 1, 1, 2, 1]);
  expect([await empty("spam", owner, days(1)), await empty("trash", owner, days(2))]).toEqual([
    1, 0,
  ]);
  expect([await empty("spam"), await empty("trash")]).toEqual([1, 1]);
  expect(await counts()).toEqual([1, 1, 1, 0, 0]);
});

test("the trash is purged after thirty days, by any caller", async () => {
  await store(database, [
    { message: "1", deleted_at: days(31) },
    { message: "2", deleted_at: days(29) },
    { message: "3", created_at: days(100) },
  ]);
  const purge = () =>
    database.sql.begin(async (sql) => {
      await sql`set local role anon`;
      return (await sql`select public.purge_trash() as more`)[0]?.["more"];
    });
  expect(await purge()).toBe(false);
  expect(await counts()).toEqual([1, 1, 0, 0, 1]);
});

test("the time of the last visit is kept per account, and never goes back", async () => {
  const visit = (until: Date, account = owner) =>
    asAccount(database, account, (sql) => sql`select public.record_visit(${until}) as seen`);
  await store(database, [
    { message: "1" },
    { message: "2" },
    { message: "3", archived_at: days(0) },
  ]);
  expect(await inboxState(database, owner)).toMatchObject({ seen_at: null, fresh: 0 });
  await visit(days(1));
  expect(await inboxState(database, owner)).toMatchObject({ fresh: 2 });
  await visit(days(2));
  expect((await inboxState(database, owner))?.["seen_at"].getTime()).toBeGreaterThan(
    days(1.5).getTime(),
  );
  // Not later than now: tomorrow's messages are new.
  await visit(days(-7));
  expect((await inboxState(database, owner))?.["seen_at"].getTime()).toBeLessThanOrEqual(
    Date.now(),
  );
  expect(await visit(days(0), stranger)).toEqual([{ seen: null }]);
  expect(await inboxState(database, stranger)).toMatchObject({
    may_read: false,
    seen_at: null,
    fresh: 0,
  });
});
