import { afterAll, expect, test } from "vitest";
import type { Sql } from "#embedded/sql.ts";
import { asAccount, startInbox, store } from "#tests/support/inbox.ts";

const { database, owner, counts } = await startInbox();
afterAll(() => database.close());

const asOwner = (run: (sql: Sql) => Promise<unknown>) => asAccount(database, owner, run);
const asSite = (run: (sql: Sql) => Promise<unknown>) =>
  database.sql.begin(async (sql) => {
    await sql`select set_config('request.jwt.claims', '{"role":"service_role"}', true),
      set_config('role', 'service_role', true)`;
    return run(sql);
  });

const channels = ["mail", "webhook"];

test("messages that are withdrawn beside their undo, sorting and notification are gone, and nobody fails", async () => {
  await asSite((sql) => sql`select public.set_notification_channels(${channels})`);
  for (let round = 0; round < 5; round += 1) {
    const ids = await store(
      database,
      Array.from({ length: 20 }, () => ({ message: crypto.randomUUID() })),
    );
    await database.superuser`
      insert into private.notifications (message_id, channel)
      select id, channel from unnest(${ids}::uuid[]) id, unnest(${channels}::text[]) channel`;
    await database.superuser`
      update private.notification_channels set next_at = now(), taken_until = null`;
    const trashed = await asAccount(
      database,
      owner,
      (sql) => sql`select change from public.sort_messages('trash', ${ids.slice(0, 15)})`,
    );
    const others = [
      asOwner((sql) => sql`select public.undo_sort(${trashed[0]?.["change"]}, 'restore')`),
      asOwner((sql) => sql`select public.sort_messages('archive', ${ids.slice(10)}, null)`),
      asOwner((sql) => sql`select public.save_note(${ids[12]}, '', 'سر')`),
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
  const left = await database.superuser`
    select from public.contact_messages
    union all select from private.changes
    union all select from private.notifications`;
  expect(left).toHaveLength(0);
  expect(await counts()).toEqual([0, 0, 0, 0, 0]);
});
