import type { Sql } from "embedded-supabase/testing";
import { afterAll, beforeEach, expect, test } from "vitest";
import { asAccount, inboxState, startInbox, store } from "#tests/support/inbox.ts";
import { asRole } from "#tests/support/messages.ts";

const { database, owner, stranger, counts } = await startInbox();
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql`delete from public.contact_messages`;
});

const days = (count: number) => new Date(Date.now() - count * 24 * 60 * 60 * 1000);

const asSite = <Result>(run: (sql: Sql) => Promise<Result>) =>
  asRole(database.sql, { role: "service_role" }, run);

const sweep = () => asSite((sql) => sql`select public.sweep()`);
/** Returns the messages that are left, with a mark for those that their age brought to the trash. */
const left = async () =>
  (
    await database.sql`
      select message || case when expired_at is null then '' else ' expired' end as message
      from public.contact_messages order by message`
  ).map(({ message }) => message);

test("messages go to the trash after two years, and are deleted from it and spam after thirty days", async () => {
  await store(database, [
    { message: "1", deleted_at: days(31) },
    { message: "2", deleted_at: days(29), created_at: days(100) },
    { message: "3", created_at: days(700) },
    { message: "4", created_at: days(740) },
    { message: "5", created_at: days(740), answered_at: days(1) },
    { message: "6", created_at: days(740), archived_at: days(1) },
    { message: "7", created_at: days(700), archived_at: days(1) },
    { message: "8", created_at: days(31), spam_signs: ["trap"], spam_at: days(31) },
    { message: "9", created_at: days(60), spam_signs: ["trap"], spam_at: days(29) },
    { message: "10", created_at: days(740), spam_signs: ["trap"], spam_at: days(1) },
    { message: "11", created_at: days(740), deleted_at: days(1) },
  ]);
  await sweep();
  expect(await left()).toEqual("10,11,2,3,4 expired,5 expired,6 expired,7,9".split(","));
  expect(await counts()).toEqual([1, 1, 1, 2, 5]);
});

test("an old message is kept for thirty days since it became spam, each time", async () => {
  const [id = ""] = await store(database, [{ message: "1", created_at: days(100) }]);
  const sort = (action: string) =>
    asAccount(
      database,
      owner,
      (sql) => sql`select public.sort_messages(${action}, array[${id}::text::uuid])`,
    );
  const passDays = async (count: number) => {
    await database.superuser`
      update public.contact_messages set spam_at = spam_at - make_interval(days => ${count})`;
    await sweep();
  };
  await sort("spam");
  await passDays(29);
  expect(await left()).toEqual(["1"]);
  await sort("unspam");
  await sort("spam");
  await passDays(29);
  expect(await left()).toEqual(["1"]);
  await passDays(2);
  expect(await left()).toEqual([]);
});

test("the owner's own limits hold", async () => {
  await database.superuser`update private.retention set months = 1, discarded_days = 2`;
  await store(database, [
    { message: "1", created_at: days(32) },
    { message: "2", created_at: days(27) },
    { message: "5", created_at: days(100), restored_at: days(27) },
    { message: "3", deleted_at: days(3) },
    { message: "4", deleted_at: days(1) },
  ]);
  await sweep();
  expect(await left()).toEqual(["1 expired", "2", "4", "5"]);
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

const asOwner = (run: (sql: Sql) => Promise<unknown>) => asAccount(database, owner, run);
const channels = ["mail", "webhook"];

test("messages that are withdrawn beside their undo, sorting and notification are gone, and nobody fails", async () => {
  for (let round = 0; round < 5; round += 1) {
    const ids = await store(
      database,
      Array.from({ length: 20 }, () => ({ message: crypto.randomUUID() })),
    );
    await database.superuser`
      insert into private.notifications (message_id, channel)
      select id, channel from unnest(${ids}::uuid[]) id, unnest(${channels}::text[]) channel`;
    await database.superuser`
      update private.notification_channels set next_at = now()`;
    const trashed = await asAccount(
      database,
      owner,
      (sql) => sql`select change from public.sort_messages('trash', ${ids.slice(0, 15)})`,
    );
    const others = [
      asOwner((sql) => sql`select public.undo_sort(${trashed[0]?.["change"]}, 'restore')`),
      asOwner((sql) => sql`select public.sort_messages('archive', ${ids.slice(10)}, null)`),
      asOwner((sql) => sql`select public.save_note(${ids[12]}, 'سر')`),
      ...channels.map((name) => asSite((sql) => sql`select public.take_notifications(${name})`)),
    ];
    const withdrawals = ids.map((id) =>
      asSite((sql) => sql`select public.withdraw_message(${id})`),
    );
    const failed = (await Promise.allSettled([...others, ...withdrawals])).filter(
      ({ status }) => status === "rejected",
    );
    expect(failed).toEqual([]);
  }
  const rows = await database.superuser`
    select from public.contact_messages
    union all select from private.notifications`;
  expect(rows).toHaveLength(0);
  expect(await counts()).toEqual([0, 0, 0, 0, 0]);
});
