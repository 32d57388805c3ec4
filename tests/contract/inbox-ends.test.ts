import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "embedded-supabase/testing";
import { afterAll, beforeEach, expect, test } from "vitest";
import { projectRoot } from "#app/server/settings.ts";
import { moveClock, restoreAll, sweep as sweepAll } from "#tests/support/clock.ts";
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
  const [{ months, discarded } = {}] = await database.superuser`
    select months, discarded_days as discarded from private.retention`;
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
  await database.superuser`update private.retention set months = ${months}, discarded_days = ${discarded}`;
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
  // The time is at most now, because messages of tomorrow are new.
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
  for (let round = 0; round < 2; round += 1) {
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
      asOwner((sql) => sql`select public.sort_messages('archive', ${ids.slice(10)})`),
      asOwner((sql) => sql`select public.save_note(${ids[12]}, 'سر')`),
      ...channels.map((name) => asSite((sql) => sql`select public.take_notifications(${name})`)),
    ];
    const withdrawals = ids.map((id) =>
      asSite((sql) => sql`select public.withdraw_message(${id})`),
    );
    const settled = await Promise.allSettled([...others, ...withdrawals]);
    const faults = settled.flatMap((each) =>
      each.status === "rejected" ? [each.reason.code] : [],
    );
    // The box may lack a message by then.
    expect(faults.filter((code) => code !== "PT409")).toEqual([]);
  }
  const rows = await database.superuser`
    select from public.contact_messages
    union all select from private.notifications`;
  expect(rows).toHaveLength(0);
  expect(await counts()).toEqual([0, 0, 0, 0, 0]);
});

const fill = () =>
  store(database, [
    { message: "waiting" },
    { message: "answered", answered_at: days(0) },
    { message: "archived", archived_at: days(0) },
    { message: "spam", spam_signs: ["trap"] },
    { message: "trash", deleted_at: days(0) },
  ]);
const messages = async (condition = "true") =>
  (
    await database.superuser.unsafe<{ message: string }>(
      `select message from public.contact_messages where ${condition} order by message`,
    )
  ).map(({ message }) => message);

test("a clock three years ahead for a day fills the trash, from where all comes back", async () => {
  await fill();
  expect(await counts()).toEqual([2, 1, 1, 1, 1]);
  await moveClock(database, "3 years");
  expect(await sweepAll(database)).toEqual({ expired: 3, deleted: 2 });
  await moveClock(database, "23 hours");
  expect(await sweepAll(database)).toEqual({ expired: 0, deleted: 0 });
  await moveClock(database, "-3 years");
  expect(await sweepAll(database)).toEqual({ expired: 0, deleted: 0 });
  expect(await messages("expired_at is not null")).toEqual(["answered", "archived", "waiting"]);
  await restoreAll(database, owner);
  expect(await messages("deleted_at is null and expired_at is null")).toHaveLength(3);
  expect(await counts()).toEqual([2, 1, 1, 0, 0]);
  expect(await sweepAll(database)).toEqual({ expired: 0, deleted: 0 });
});

test("what the owner takes out of the trash is kept for the whole period again", async () => {
  await store(database, [{ message: "old", created_at: days(740) }]);
  expect(await sweepAll(database)).toEqual({ expired: 1, deleted: 0 });
  await moveClock(database, "29 days");
  expect(await sweepAll(database)).toEqual({ expired: 0, deleted: 0 });
  await restoreAll(database, owner);
  await moveClock(database, "23 months");
  expect(await sweepAll(database)).toEqual({ expired: 0, deleted: 0 });
  await moveClock(database, "2 months");
  expect(await sweepAll(database)).toEqual({ expired: 1, deleted: 0 });
  await moveClock(database, "31 days");
  expect(await sweepAll(database)).toEqual({ expired: 0, deleted: 1 });
});

test("the statement of DEPLOY gives what a clock ahead has dated the present time", async () => {
  await fill();
  await database.superuser`truncate private.inbox_visits`;
  await database.superuser`insert into private.inbox_visits values (${owner}, now())`;
  await database.superuser`
    insert into private.attempts values ('message', 'address 192.0.2.1', 10, now() + interval '9 minutes')`;
  await database.superuser`
    insert into private.notifications (message_id, channel, locked_until)
    select id, 'mail', now() + interval '1 minute' from public.contact_messages`;
  await moveClock(database, "-3 years");
  await database.superuser.script(`
    update private.inbox_visits set seen_at = seen_at + interval '3 years';
    update private.attempts set expires_at = expires_at + interval '3 years';
    update private.notifications
      set since = since + interval '3 years', locked_until = locked_until + interval '3 years';
    update private.notification_channels set next_at = now() + interval '3 years' where channel = 'mail'`);
  await store(database, [{ message: "since" }]);
  const deploy = await readFile(join(projectRoot, ".github/DEPLOY.md"), "utf8");
  const [, statement = ""] = /clock was ahead.*?```sql\n(.*?)```/s.exec(deploy) ?? [];
  await database.superuser.script(`set role postgres; ${statement} reset role`);
  const [late] = await database.superuser`select
    (select count(*)::int from public.contact_messages
      where greatest(created_at, spam_at, deleted_at) > now()) as messages,
    (select count(*)::int from private.inbox_visits where seen_at > now()) as visits,
    (select count(*)::int from private.attempts where expires_at > now() + interval '1 day') as attempts,
    (select count(*)::int from private.notifications where greatest(since, locked_until) > now()) as notifications,
    (select count(*)::int from private.notification_channels where next_at > now()) as channels`;
  expect(new Set(Object.values(late ?? {}))).toEqual(new Set([0]));
  // The other messages have not moved.
  expect(await counts()).toEqual([3, 2, 1, 1, 1]);
});
