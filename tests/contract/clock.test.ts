import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { projectRoot } from "#app/server/settings.ts";
import { moveClock, restoreAll, sweep } from "#tests/support/clock.ts";
import { startInbox, store } from "#tests/support/inbox.ts";

const { database, owner, counts } = await startInbox();
const { superuser } = database;
afterAll(() => database.close());
beforeEach(() => superuser`delete from public.contact_messages`);

const days = (count: number) => new Date(Date.now() - count * 24 * 60 * 60 * 1000);
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
    await superuser.unsafe<{ message: string }>(
      `select message from public.contact_messages where ${condition} order by message`,
    )
  ).map(({ message }) => message);

test("a clock three years ahead for a day fills the trash, from where all comes back", async () => {
  await fill();
  expect(await counts()).toEqual([2, 1, 1, 1, 1]);
  await moveClock(database, "3 years");
  expect(await sweep(database)).toEqual({ expired: 3, deleted: 2 });
  await moveClock(database, "23 hours");
  expect(await sweep(database)).toEqual({ expired: 0, deleted: 0 });
  await moveClock(database, "-3 years");
  expect(await sweep(database)).toEqual({ expired: 0, deleted: 0 });
  expect(await messages("expired_at is not null")).toEqual(["answered", "archived", "waiting"]);
  await restoreAll(database, owner);
  expect(await messages("deleted_at is null and expired_at is null")).toHaveLength(3);
  expect(await counts()).toEqual([2, 1, 1, 0, 0]);
  expect(await sweep(database)).toEqual({ expired: 0, deleted: 0 });
});

test("what the owner takes out of the trash is kept for the whole period again", async () => {
  await store(database, [{ message: "old", created_at: days(740) }]);
  expect(await sweep(database)).toEqual({ expired: 1, deleted: 0 });
  await moveClock(database, "29 days");
  expect(await sweep(database)).toEqual({ expired: 0, deleted: 0 });
  await restoreAll(database, owner);
  await moveClock(database, "23 months");
  expect(await sweep(database)).toEqual({ expired: 0, deleted: 0 });
  await moveClock(database, "2 months");
  expect(await sweep(database)).toEqual({ expired: 1, deleted: 0 });
  await moveClock(database, "31 days");
  expect(await sweep(database)).toEqual({ expired: 0, deleted: 1 });
});

test("the statement of DEPLOY gives what a clock ahead has dated the present time", async () => {
  await fill();
  await superuser`insert into private.inbox_visits values (${owner}, now())`;
  await superuser`
    insert into private.attempts values ('message', 'address 192.0.2.1', 10, now() + interval '9 minutes')`;
  await superuser`
    insert into private.notifications (message_id, channel, locked_until)
    select id, 'mail', now() + interval '1 minute' from public.contact_messages`;
  await moveClock(database, "-3 years");
  await superuser.script(`
    update private.inbox_visits set seen_at = seen_at + interval '3 years';
    update private.attempts set expires_at = expires_at + interval '3 years';
    update private.notifications
      set since = since + interval '3 years', locked_until = locked_until + interval '3 years';
    update private.notification_channels set next_at = now() + interval '3 years' where channel = 'mail'`);
  await store(database, [{ message: "since" }]);
  const deploy = await readFile(join(projectRoot, ".github/DEPLOY.md"), "utf8");
  const [, statement = ""] = /clock was ahead.*?```sql\n(.*?)```/s.exec(deploy) ?? [];
  await superuser.script(`set role postgres; ${statement} reset role`);
  const [late] = await superuser`select
    (select count(*)::int from public.contact_messages
      where greatest(created_at, spam_at, deleted_at) > now()) as messages,
    (select count(*)::int from private.inbox_visits where seen_at > now()) as visits,
    (select count(*)::int from private.attempts where expires_at > now() + interval '1 day') as attempts,
    (select count(*)::int from private.notifications where greatest(since, locked_until) > now()) as notifications,
    (select count(*)::int from private.notification_channels where next_at > now()) as channels`;
  expect(new Set(Object.values(late ?? {}))).toEqual(new Set([0]));
  // The others are where they were.
  expect(await counts()).toEqual([3, 2, 1, 1, 1]);
});
