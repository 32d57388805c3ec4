import { expect, test } from "vitest";
import { pass, settleBatch, takeBatch, useNotifications } from "#tests/support/notifications.ts";

const notifications = useNotifications(["mail", "webhook"]);

const take = (channel?: string) => takeBatch(notifications, channel);
const settle = (batch: string | null | undefined, outcome: string) =>
  settleBatch(notifications, batch, outcome);

const undelivered = async () => {
  const rows = await notifications.sql`
    select channel, attempts, round(extract(epoch from due_at - now()) / 60)::integer as minutes
    from private.notifications order by channel, attempts desc`;
  return rows.map(({ channel, attempts, minutes }) => [channel, attempts, minutes]);
};

test("a message that is not spam is announced to the owner by each configured channel", async () => {
  await notifications.leave({ message: "أريد صفحة" });
  expect(await take()).toMatchObject({
    recipient: notifications.owner,
    messages: 1,
    newest: [{ message: "أريد صفحة" }],
  });
  expect(await take("webhook")).toMatchObject({ messages: 1 });
  await notifications.callAsSite("set_notification_channels", { channels: ["webhook"] });
  await notifications.leave({});
  const rows = await notifications.sql`select channel from private.notifications order by channel`;
  expect(rows.map(({ channel }) => channel)).toEqual(["mail", "webhook", "webhook"]);
});

test("spam, repeats, imports and messages without an owner are not announced", async () => {
  const { sql } = notifications;
  const links = "https://a.example https://b.example https://c.example https://d.example";
  await notifications.leave({ message: links });
  await notifications.leave({ message: "مرتين" }, "192.0.2.1");
  await sql`truncate private.notifications`;
  await notifications.leave({ message: links, name: "آخر" });
  await notifications.leave({ message: "مرتين" }, "192.0.2.1");
  await sql`insert into public.contact_messages (name, email, message) values ('a', 'a@b.co', 'c')`;
  expect(await undelivered()).toEqual([]);
  const [owner] = await sql`delete from private.site_owner returning user_id`;
  await notifications.leave({});
  await sql`insert into private.site_owner (user_id) values (${owner?.["user_id"]})`;
  expect(await undelivered()).toEqual([["webhook", 0, 0]]);
});

test("the first message makes the account that confirmed the reserved address the owner", async () => {
  const { sql, owner } = notifications;
  await sql`delete from private.site_owner`;
  await sql`insert into private.reserved_owner (email) values (${owner})`;
  await sql`update auth.identities set identity_data = identity_data || '{"email_verified": true}'`;
  try {
    await notifications.leave({});
    expect(await take()).toMatchObject({ recipient: owner, messages: 1 });
  } finally {
    await sql`delete from private.reserved_owner`;
    await sql`
      insert into private.site_owner (user_id) select id from auth.users where email = ${owner}
      on conflict do nothing`;
  }
});

test("tries follow after 1, 5 and 30 minutes, 2, 6 and 24 hours, and then stop", async () => {
  await notifications.leave({});
  const pauses: unknown[] = [];
  for (let batch = await take(); batch; batch = await take()) {
    await settle(batch.batch, "retry");
    const row = (await undelivered()).find(([channel]) => channel === "mail");
    const minutes = row?.[2];
    pauses.push(minutes);
    await pass(notifications.sql, `${minutes ?? 100_000} minutes`);
  }
  expect(pauses).toEqual([1, 5, 30, 120, 360, 1440, null]);
});

test("a message counts as not delivered when an attempt failed or none was made for 15 minutes, not while one is on its way", async () => {
  const stuck = async () => {
    const { data } = await notifications.client.rpc("notification_state");
    return data.find(({ channel }: { channel: string }) => channel === "mail").stuck;
  };
  await notifications.leave({});
  const first = await take();
  expect(await stuck()).toBe(0);
  await settle(first?.batch, "retry");
  expect(await stuck()).toBe(1);
  await pass(notifications.sql, "1 minute");
  await notifications.leave({});
  const second = await take();
  expect([second?.messages, await stuck()]).toEqual([2, 1]);
  // The site that sends it ended.
  await pass(notifications.sql, "2 minutes");
  expect(await stuck()).toBe(2);
  await notifications.leave({});
  await pass(notifications.sql, "14 minutes");
  expect(await stuck()).toBe(2);
  await pass(notifications.sql, "2 minutes");
  expect(await stuck()).toBe(3);
});

test("a failing channel is tried after 1, 5 and then every 10 minutes, however many messages arrive", async () => {
  for (const minutes of [1, 5, 10, 10, 10]) {
    await notifications.leave({});
    await settle((await take())?.batch, "unknown");
    const [row] = await notifications.sql`
      select round(extract(epoch from next_at - now()) / 60)::integer as minutes
      from private.notification_channels where channel = 'mail'`;
    expect(row).toEqual({ minutes });
    await pass(notifications.sql, `${minutes} minutes`);
  }
});

test("a test that arrives ends the wait of failed notifications, and no other wait", async () => {
  await notifications.leave({});
  await settle((await take())?.batch, "retry");
  expect(await take()).toBeUndefined();
  await settle(null, "sent");
  const batch = await take();
  expect(batch).toMatchObject({ messages: 1 });
  await settle(batch?.batch, "sent");
  await notifications.leave({});
  await settle(null, "sent");
  expect(await take()).toBeUndefined();
});

test("a notification that was given up is sent when a new message finds the channel working", async () => {
  await notifications.leave({});
  await settle((await take())?.batch, "refused");
  await pass(notifications.sql, "3 days");
  expect(await take()).toBeUndefined();
  await notifications.leave({});
  const both = await take();
  expect(both).toMatchObject({ messages: 2 });
  await settle(both?.batch, "sent");
  expect((await undelivered()).map(([channel]) => channel)).toEqual(["webhook", "webhook"]);
});

test("a message that became spam or was deleted is no longer announced", async () => {
  const { sql } = notifications;
  const [spam, gone] = [await notifications.leave({}), await notifications.leave({})];
  await sql`update public.contact_messages set spam_signs = '{trap}' where id = ${spam}`;
  await sql`delete from public.contact_messages where id = ${gone}`;
  expect(await take()).toBeUndefined();
  await notifications.leave({});
  expect(await take()).toMatchObject({ messages: 1 });
});
