import { expect } from "vitest";
import { claimedSite } from "#tests/support/claimed-site.ts";
import { passOnceSettled, patience, test } from "#tests/support/notifications-test.ts";
import { leaveAtOnce, pass } from "#tests/support/notifications.ts";
import { startSite } from "#tests/support/site.ts";
import { openSuperuser } from "#tests/support/superuser.ts";
import { Visitor } from "#tests/support/visitor.ts";
import { within } from "#tests/support/within.ts";

const MAIL_FROM = "تواصل <site@tawasul.example>";

test("SIGTERM ends the site in time while a mail hangs, and the mail comes later with the same id", async ({
  smtp,
  onTestFinished,
}) => {
  const { site, owner, claim } = claimedSite(await startSite({ SMTP_URL: smtp.url, MAIL_FROM }));
  onTestFinished(() => site.stop());
  await claim();
  const sql = await openSuperuser(site.dataDir);
  smtp.faults = { greeting: "hang" };
  await owner.post("/account", { action: "test-notification", channel: "mail" });
  expect((await owner.get("/account")).text).toContain("لم يرد الخادم في الوقت المتاح");
  await passOnceSettled(sql, "10 minutes");
  smtp.faults = { text: "lost" };
  const form = { name: "هند", email: "hind@example.com", message: "أريد صفحة.", t_extra: "" };
  const visitor = new Visitor(site);
  expect((await visitor.post("/", form)).status).toBe(302);
  await expect.poll(() => smtp.mails.length, patience).toBe(1);
  smtp.faults = { greeting: "hang" };
  await passOnceSettled(sql, "10 minutes");
  const opened = smtp.connections;
  // A repeat is not announced, but it wakes the worker.
  await visitor.post("/", form);
  await expect.poll(() => smtp.connections, patience).toBeGreaterThan(opened);
  await pass(sql, "2 minutes");
  await sql.end();
  // The site gives up what is under way after ten seconds.
  await within(25, site.end("SIGTERM"));
  smtp.faults = {};
  await site.restart("SIGTERM");
  await expect.poll(() => smtp.mails.length, patience).toBe(2);
  expect(new Set(smtp.mails.map(({ headers }) => headers.get("message-id"))).size).toBe(1);
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
  // Visitors wait neither for the server nor for the batch that was taken.
  await site.leave();
  expect(smtp.mails).toHaveLength(1);
  smtp.faults = {};
  await site.open({});
  await pass(server.sql, "2 minutes");
  await site.open({ SMTP_URL: smtp.url, MAIL_FROM });
  await expect.poll(site.count(smtp.mails), patience).toBe(2);
  expect(smtp.mails[1]?.headers.get("subject")).toBe("١٠٬٠٠٠ رسالة جديدة من موقعك");
});
