import { expect, test } from "vitest";
import { settleBatch, takeBatch, useNotifications } from "#tests/support/notifications.ts";

const notifications = useNotifications();

test("a backlog of 50,000 is skipped, and sent in batches of 10,000", async () => {
  const { sql } = notifications;
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await transaction`
      insert into public.contact_messages (name, email, message, answered_at)
      select 'a', 'a@b.co', n, case when n <= 20000 then now() end
      from generate_series(1, 50000) n`;
    await transaction`
      insert into private.notifications (message_id, channel, attempts)
      select id, 'mail', 5 from public.contact_messages`;
  });
  const sizes: unknown[] = [];
  for (let batch = await takeBatch(notifications); batch; batch = await takeBatch(notifications)) {
    sizes.push([batch.messages, batch.newest.length]);
    await settleBatch(notifications, batch, true);
    await sql`update private.notification_channels set next_at = now()`;
  }
  expect(sizes).toEqual(Array.from({ length: 3 }, () => [10_000, 20]));
}, 120_000);
