import { afterAll, expect, test } from "vitest";
import { moveClock, sweep } from "#tests/support/clock.ts";
import { asAccount, inboxState, startInbox } from "#tests/support/inbox.ts";

const { database, owner } = await startInbox();
afterAll(() => database.close());

const counts = async () => {
  const { messages, waiting, archived, trash } = (await inboxState(database, owner)) ?? {};
  return [messages, waiting, archived, trash].map(Number);
};

test("a clock three years ahead for a day loses none of 10,000 messages, and the whole box brings them back", async () => {
  await database.superuser`
    insert into public.contact_messages (name, email, message, created_at, answered_at, archived_at)
    select 'ن', 'n@example.com', 'م ' || n, now() - n * interval '1 hour',
      case when n % 3 = 1 then now() end, case when n % 3 = 2 then now() end
    from generate_series(1, 10000) n`;
  const before = await counts();
  expect(before).toEqual([6667, 3333, 3333, 0]);
  await moveClock(database, "3 years");
  expect(await sweep(database)).toEqual({ expired: 10_000, deleted: 0 });
  await moveClock(database, "1 day");
  expect(await sweep(database)).toEqual({ expired: 0, deleted: 0 });
  await moveClock(database, "-3 years");
  expect(await sweep(database)).toEqual({ expired: 0, deleted: 0 });
  expect(await counts()).toEqual([0, 0, 0, 10_000]);
  await asAccount(
    database,
    owner,
    (sql) => sql`select public.sort_box('restore', 'trash', 'infinity')`,
  );
  expect(await counts()).toEqual(before);
  expect(await sweep(database)).toEqual({ expired: 0, deleted: 0 });
}, 120_000);
