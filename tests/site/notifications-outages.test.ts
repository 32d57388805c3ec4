import { expect } from "vitest";
import { patience, test } from "#tests/support/notifications-test.ts";
import { leaveAtOnce, pass } from "#tests/support/notifications.ts";
import { startSmtp } from "#tests/support/smtp.ts";

const MAIL_FROM = "site@tawasul.example";

test("a mail server that was down for a day gets one mail about all messages", async ({
  server,
  smtp,
  site,
}) => {
  await site.open({ SMTP_URL: smtp.url, MAIL_FROM });
  const { port } = smtp;
  await smtp[Symbol.asyncDispose]();
  await site.leave();
  const tries = async () => {
    const [row] = await server.sql`
      select max(attempts)::integer as tries from private.notifications
      where not exists (select from private.notification_channels where taken_until is not null)`;
    return row?.["tries"];
  };
  for (const [index, time] of ["1 min", "5 min", "30 min", "2 hours", "6 hours"].entries()) {
    await expect.poll(tries, patience).toBe(index + 1);
    await expect.poll(site.fault, patience).toBe("unreachable");
    await pass(server.sql, time);
    await site.leave();
  }
  await expect.poll(tries, patience).toBe(6);
  await using back = await startSmtp(port);
  await pass(server.sql, "24 hours");
  await expect.poll(site.count(back.mails), patience).toBe(1);
  expect(back.mails[0]?.headers.get("subject")).toBe("٦ رسائل جديدة من موقعك");
});

test("10,000 messages that wait for a slow server delay no visitor, and come in one mail", async ({
  server,
  smtp,
  site,
}) => {
  await site.open({ SMTP_URL: smtp.url, MAIL_FROM });
  await site.leave();
  await expect.poll(site.count(smtp.mails), patience).toBe(1);
  await server.sql`truncate public.contact_messages, private.notifications cascade`;
  await leaveAtOnce(server.sql, 10_000);
  smtp.faults = { greeting: "hang" };
  const opened = smtp.connections;
  await pass(server.sql, "10 minutes");
  site.wake();
  await expect.poll(() => smtp.connections, patience).toBeGreaterThan(opened);
  // They wait neither for the server nor for the batch that is taken.
  await site.leave();
  expect(smtp.mails).toHaveLength(1);
  smtp.faults = {};
  await site.open({});
  await pass(server.sql, "2 minutes");
  await site.open({ SMTP_URL: smtp.url, MAIL_FROM });
  await expect.poll(site.count(smtp.mails), patience).toBe(2);
  expect(smtp.mails[1]?.headers.get("subject")).toBe("١٠٬٠٠٠ رسالة جديدة من موقعك");
});
