import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { projectRoot } from "#app/server/settings.ts";
import { moveClock, siteRole, sweep } from "#tests/support/clock.ts";
import { asAccount, startInbox, store } from "#tests/support/inbox.ts";

const { database, owner, stranger } = await startInbox();
afterAll(() => database.close());

beforeEach(async () => {
  await database.superuser`delete from public.contact_messages`;
  await database.superuser`update private.clock set trusted_at = now(), jumped_at = null`;
  await store(database, [{ message: "new" }, { message: "trash", deleted_at: new Date() }]);
});

const days = (count: number) => new Date(Date.now() - count * 24 * 60 * 60 * 1000);
const left = async () =>
  (await database.superuser`select message from public.contact_messages order by message`).map(
    ({ message }) => message,
  );

const add = (day: string) =>
  siteRole(database, (sql) => sql`select public.add_counts(${day}::text::date, '{"view": 1}')`);
const read = async () =>
  (await database.superuser`select day::text from private.counts order by day`).map(
    ({ day }) => day,
  );

test("counts of visits are deleted after 400 days, but not by a date in doubt", async () => {
  await add("2020-01-01");
  await moveClock(database, "3 years");
  await add("2023-01-01");
  expect(await read()).toEqual(["2020-01-01", "2023-01-01"]);
  await moveClock(database, "-3 years");
  // After 400 days.
  await add("2024-02-05");
  expect(await read()).toEqual(["2023-01-01", "2024-02-05"]);
  await add("2024-02-06");
  expect(await read()).toEqual(["2024-02-05", "2024-02-06"]);
  await database.superuser`delete from private.counts`;
});

test("waits that began while the clock was ahead end with the right clock", async () => {
  const { superuser } = database;
  await superuser.script(`
    insert into private.attempts (name, subject, points, expires_at) values
      ('message', 'address 192.0.2.1', 10, now() + interval '3 years'),
      ('message', 'address 192.0.2.2', 10, now() + interval '9 minutes'),
      -- Who sent a message, which has no limit.
      ('sent', 'some message by 192.0.2.1', 1, now() + interval '3 years'),
      ('sent', 'some message by 192.0.2.2', 1, now() + interval '9 minutes');
    insert into private.notifications (message_id, channel, due_at, locked_until)
    select id, 'mail', now() + interval '3 years', now() + interval '3 years'
    from public.contact_messages where message = 'new';
    update private.notification_channels
    set is_on = true, next_at = now() + interval '3 years' where channel = 'mail';`);
  const take = () =>
    siteRole(database, (sql) => sql`select messages from public.take_notifications('mail')`);
  expect(await take()).toEqual([]);
  expect(await sweep(database)).toBe("trusted");
  expect(await take()).toEqual([{ messages: 1 }]);
  const counted = await superuser`select subject from private.attempts order by subject`;
  expect(counted).toEqual([
    { subject: "address 192.0.2.2" },
    { subject: "some message by 192.0.2.2" },
  ]);
});

test("what the clock ahead has dated is kept no longer than the rest, after the statements of DEPLOY", async () => {
  const { superuser } = database;
  const ahead = days(-1000);
  await store(database, [
    { message: "ahead", created_at: ahead },
    { message: "ahead in the trash", deleted_at: ahead },
    { message: "ahead in the spam", spam_signs: ["trap"], spam_at: ahead },
  ]);
  await superuser`
    insert into private.changes (message_id, of_note, id, made_at)
    select id, false, gen_random_uuid(), ${ahead} from public.contact_messages`;
  const deploy = await readFile(join(projectRoot, ".github/DEPLOY.md"), "utf8");
  const [, statements = ""] = /while the clock was ahead.*?```sql\n(.*?)```/s.exec(deploy) ?? [];
  await superuser.script(`set role postgres; ${statements} reset role`);
  const pass = async (time: string) => {
    await moveClock(database, time);
    await superuser`update private.clock set trusted_at = now()`;
    await sweep(database);
    return left();
  };
  expect(await pass("1 hour")).toHaveLength(5);
  expect(await pass("31 days")).toEqual(["ahead", "new"]);
  expect(await pass("2 years")).toEqual([]);
});

const inDoubt = (account: string) =>
  asAccount(database, account, (sql) => sql`select * from public.date_in_doubt()`);
const confirm = (shown: Date, account = owner) =>
  asAccount(
    database,
    account,
    (sql) => sql<{ done: boolean }>`select public.confirm_date(${shown}) as done`,
  );

test("only the owner is told of a doubt and ends it, and only for the date that was shown", async () => {
  await moveClock(database, "50 days");
  expect(await inDoubt(stranger)).toEqual([]);
  const [doubt] = await inDoubt(owner);
  expect(doubt).toMatchObject({ asks: true });
  expect(Math.abs(doubt?.["database_time"] - Date.now())).toBeLessThan(60_000);
  expect(Math.abs(doubt?.["trusted_time"] - days(50).getTime())).toBeLessThan(60_000);
  await expect(confirm(new Date(), stranger)).rejects.toMatchObject({ code: "PT403" });
  // The clock has been set since the page was shown.
  for (const shown of [days(50), days(2), days(-1)]) {
    expect(await confirm(shown)).toEqual([{ done: false }]);
  }
  expect(await sweep(database)).toBe("asks");
  expect(await left()).toEqual(["new", "trash"]);
  expect(await confirm(new Date())).toEqual([{ done: true }]);
  expect(await inDoubt(owner)).toEqual([]);
  expect(await sweep(database)).toBe("trusted");
  expect(await left()).toEqual(["new"]);
});

test("the owner can confirm a date before the last one, and nobody can while there is no owner", async () => {
  await moveClock(database, "-1 year");
  await database.superuser`delete from private.site_owner`;
  expect(await inDoubt(owner)).toEqual([]);
  await expect(confirm(new Date())).rejects.toMatchObject({ code: "PT403" });
  await database.superuser`insert into private.site_owner (user_id) values (${owner})`;
  await confirm(new Date());
  expect(await sweep(database)).toBe("trusted");
});
