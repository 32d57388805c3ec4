import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { pass, settleBatch, takeBatch, useNotifications } from "#tests/support/notifications.ts";

const notifications = useNotifications();

const take = (channel?: string) => takeBatch(notifications, channel);
const settle = (batch: Parameters<typeof settleBatch>[1], isSent: boolean) =>
  settleBatch(notifications, batch, isSent);

const waiting = async () => {
  const rows = await notifications.sql<{ channel: string }>`
    select channel from private.notifications order by 1`;
  return rows.map(({ channel }) => channel);
};
const mailState = async () => {
  const { data } = await notifications.client.rpc("notification_state");
  return data.find(({ channel }: { channel: string }) => channel === "mail");
};
const stuck = async () => (await mailState()).stuck;
const sweep = () => notifications.callAsSite("sweep", {});

test("a message that is not spam waits for each channel, until a process takes it", async () => {
  await notifications.leave({ message: "أريد صفحة" });
  expect(await take()).toMatchObject({
    recipient: notifications.owner,
    messages: 1,
    newest: [{ message: "أريد صفحة" }],
  });
  expect(await take("webhook")).toMatchObject({ messages: 1 });
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
  expect(await waiting()).toEqual([]);
  const [owner] = await sql`delete from private.site_owner returning user_id`;
  await notifications.leave({});
  await sql`insert into private.site_owner (user_id) values (${owner?.["user_id"]})`;
  expect(await waiting()).toEqual(["webhook"]);
});

test("the first message makes the account that confirmed the reserved address the owner", async () => {
  const { sql, owner } = notifications;
  const otherId = randomUUID();
  await sql`delete from private.site_owner`;
  await sql`insert into private.reserved_owner (email) values (${owner})`;
  await sql`update auth.identities set identity_data = identity_data || '{"email_verified": true}'`;
  try {
    await notifications.leave({});
    expect(await take()).toMatchObject({ recipient: owner, messages: 1 });
    // An inbox that has an owner keeps it.
    await sql`insert into auth.users (id, email) values (${otherId}, 'other@example.com')`;
    await sql`update private.site_owner set user_id = ${otherId}`;
    await notifications.leave({});
    expect(await take("webhook")).toMatchObject({ recipient: "other@example.com", messages: 2 });
  } finally {
    await sql`delete from auth.users where id = ${otherId}`;
    await sql`delete from private.reserved_owner`;
    await sql`delete from private.site_owner`;
    await sql`
      insert into private.site_owner (user_id) select id from auth.users where email = ${owner}`;
  }
});

test("a failing channel is tried after 1, 5 and then every 10 minutes, also after days", async () => {
  const { sql } = notifications;
  await notifications.leave({});
  for (const minutes of [1, 5, 10, 10]) {
    await settle(await take(), false);
    await pass(sql, `${minutes * 60 - 1} seconds`);
    expect(await take()).toBeUndefined();
    await pass(sql, "1 second");
  }
  // Newer messages do not speed it up.
  await settle(await take(), false);
  await notifications.leave({});
  expect(await take()).toBeUndefined();
  await pass(sql, "10 minutes");
  await settle(await take(), false);
  await pass(sql, "3 days");
  await sweep();
  expect(await mailState()).toMatchObject({ stuck: 2 });
  const both = await take();
  expect(both).toMatchObject({ messages: 2 });
  await settle(both, true);
  expect(await waiting()).toEqual([]);
  // After a success the waits begin anew.
  await notifications.leave({});
  await pass(sql, "10 minutes");
  await settle(await take(), false);
  await pass(sql, "1 minute");
  expect(await take()).toMatchObject({ messages: 1 });
});

test("a notification that nobody took for a day is deleted", async () => {
  await notifications.leave({});
  await pass(notifications.sql, "23 hours 59 minutes");
  await sweep();
  expect(await waiting()).toEqual(["mail", "webhook"]);
  await settle(await take(), false);
  await pass(notifications.sql, "1 minute");
  await sweep();
  expect(await waiting()).toEqual(["mail"]);
});

test("a message counts as not delivered when an attempt failed or none was made for 15 minutes, not while one is on its way", async () => {
  await notifications.leave({});
  const first = await take();
  expect(await stuck()).toBe(0);
  await settle(first, false);
  expect(await stuck()).toBe(1);
  await pass(notifications.sql, "1 minute");
  await notifications.leave({});
  const second = await take();
  expect([second?.messages, await stuck()]).toEqual([2, 1]);
  // The process that was sending it has ended.
  await pass(notifications.sql, "2 minutes");
  expect(await stuck()).toBe(2);
  await notifications.leave({});
  await pass(notifications.sql, "14 minutes");
  expect(await stuck()).toBe(2);
  await pass(notifications.sql, "2 minutes");
  expect(await stuck()).toBe(3);
});

test("a test that arrives ends the wait of failed notifications, and no other wait", async () => {
  await notifications.leave({});
  await settle(await take(), false);
  expect(await take()).toBeUndefined();
  await settle(null, true);
  const batch = await take();
  expect(batch).toMatchObject({ messages: 1 });
  await settle(batch, true);
  await notifications.leave({});
  await settle(null, true);
  expect(await take()).toBeUndefined();
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

test("a batch whose process ended is taken after two minutes, and has the same id unless it has other messages", async () => {
  await notifications.leave({});
  const lost = await take();
  await pass(notifications.sql, "119 seconds");
  expect(await take()).toBeUndefined();
  await pass(notifications.sql, "2 seconds");
  const again = await take();
  expect(again).toMatchObject({ batch: lost?.batch, messages: 1 });
  // The process that was presumed dead cannot settle it.
  await settle(lost, true);
  expect(await waiting()).toEqual(["mail", "webhook"]);
  await notifications.leave({});
  await pass(notifications.sql, "2 minutes");
  const more = await take();
  expect([more?.messages, more?.batch === lost?.batch]).toEqual([2, false]);
});

test("of simultaneous workers one gets the batch, and the others do not wait", async () => {
  await Promise.all(Array.from({ length: 20 }, () => notifications.leave({})));
  const taken = await Promise.all(Array.from({ length: 10 }, () => take()));
  expect(taken.filter((batch) => batch !== undefined)).toMatchObject([{ messages: 20 }]);
  await notifications.sql.begin(async (transaction) => {
    await transaction`select from private.notification_channels where channel = 'webhook' for update`;
    expect(await take("webhook")).toBeUndefined();
  });
});
