import { expect, test } from "vitest";
import { pass, settleBatch, takeBatch, useNotifications } from "#tests/support/notifications.ts";

const notifications = useNotifications(["mail"]);

const take = () => takeBatch(notifications);
const settle = (batch: string | undefined, outcome: string) =>
  settleBatch(notifications, batch, outcome);

test("a batch whose worker died is sent again with the same id, without newer messages", async () => {
  await notifications.leave({});
  const lost = await take();
  await notifications.leave({});
  await pass(notifications.sql, "119 seconds");
  expect(await take()).toBeUndefined();
  await pass(notifications.sql, "2 seconds");
  expect(await take()).toEqual(lost);
  expect(await settle(lost?.batch, "unknown")).toBe(true);
  await pass(notifications.sql, "5 minutes");
  expect(await take()).toEqual(lost);
  expect(await settle(lost?.batch, "sent")).toBe(true);
  expect(await settle(lost?.batch, "sent")).toBe(false);
  await pass(notifications.sql, "10 minutes");
  const next = await take();
  expect(next).toMatchObject({ messages: 1 });
  expect(next?.batch).not.toBe(lost?.batch);
});

test("a notification in doubt keeps its id when one of its messages goes, and is given up for newer ones", async () => {
  const first = await notifications.leave({});
  await notifications.leave({});
  const doubtful = await take();
  await settle(doubtful?.batch, "unknown");
  await notifications.sql`delete from public.contact_messages where id = ${first}`;
  for (const time of ["1 minute", "5 minutes", "30 minutes", "2 hours", "6 hours", "24 hours"]) {
    await pass(notifications.sql, time);
    expect(await take()).toMatchObject({ batch: doubtful?.batch, messages: 1 });
    await settle(doubtful?.batch, "unknown");
  }
  await pass(notifications.sql, "10 minutes");
  expect(await take()).toBeUndefined();
  await notifications.leave({});
  const next = await take();
  expect(next).toMatchObject({ messages: 2 });
  expect(next?.batch).not.toBe(doubtful?.batch);
});

test("a worker that dies at a late try delays it by two minutes, not by hours", async () => {
  await notifications.leave({});
  for (const time of ["1 minute", "5 minutes", "30 minutes"]) {
    await settle((await take())?.batch, "retry");
    await pass(notifications.sql, time);
  }
  const lost = await take();
  await pass(notifications.sql, "2 minutes");
  expect(await take()).toEqual(lost);
});

test("two simultaneous workers do not get the same batch", async () => {
  await Promise.all(Array.from({ length: 20 }, () => notifications.leave({})));
  const taken = await Promise.all(Array.from({ length: 10 }, () => take()));
  expect(taken.filter((batch) => batch !== undefined)).toMatchObject([{ messages: 20 }]);
});

test("while another worker takes a batch, a worker gets nothing and does not wait", async () => {
  await notifications.leave({});
  await notifications.sql.begin(async (transaction) => {
    await transaction`select set_config('request.jwt.claims', '{"role":"service_role"}', true)`;
    expect(await transaction`select messages from public.take_notifications('mail')`).toHaveLength(
      1,
    );
    expect(await take()).toBeUndefined();
  });
});

test("a backlog of 50,000 is skipped, sent in batches of 10,000 and tried again in time", async () => {
  const { sql, client } = notifications;
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await transaction`
      insert into public.contact_messages (name, email, message, answered_at)
      select 'a', 'a@b.co', n, case when n <= 20000 then now() end
      from generate_series(1, 50000) n`;
    await transaction`
      insert into private.notifications (message_id, channel, due_at)
      select id, 'mail', coalesce(answered_at - interval '1 hour', now())
      from public.contact_messages`;
  });
  const told = await take();
  expect(told).toMatchObject({ messages: 10_000, newest: { length: 20 } });
  expect(await settle(told?.batch, "sent")).toBe(true);

  await sql`update private.notifications set due_at = now() + interval '1 hour', attempts = 5`;
  await sql`update private.notification_channels set next_at = now()`;
  expect(await take()).toBeUndefined();
  expect((await client.rpc("retry_notifications")).error).toBeNull();
  const next = await take();
  expect(next).toMatchObject({ messages: 10_000 });
  await sql`update private.notifications set due_at = null where sent_as is null`;
  expect(await settle(next?.batch, "sent")).toBe(true);
  await sql`update private.notification_channels set next_at = now()`;
  expect(await take()).toMatchObject({ messages: 10_000 });
}, 120_000);
