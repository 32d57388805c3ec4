import { expect } from "vitest";
import { passOnceSettled, patience, test } from "#tests/support/notifications-test.ts";

const MAIL_FROM = "تواصل <site@tawasul.example>";

test("a mail in Arabic comes from the site, and a reply goes to the visitor", async ({
  server,
  smtp,
  site,
}) => {
  await site.open({ SMTP_URL: smtp.url, MAIL_FROM });
  const name = `سارة "بائعة" <x@y.example>`;
  const message = "السلام عليكم\n<b>أريد</b> صفحة";
  const id = await site.leave({ name, email: "sara@example.com", message });
  await expect.poll(site.count(smtp.mails), patience).toBe(1);
  const [mail] = smtp.mails;
  expect(mail).toMatchObject({ from: "site@tawasul.example", to: server.owner });
  const header = (of: string) => mail?.headers.get(of);
  expect(header("from")).toBe("تواصل <site@tawasul.example>");
  expect(header("subject")).toBe("رسالة جديدة من موقعك");
  expect(header("reply-to")).toMatch(/^"?سارة بائعة x@y\.example"? <sara@example\.com>$/);
  expect(header("message-id")).toMatch(/^<[0-9a-f-]{36}@tawasul\.example>$/);
  expect(header("auto-submitted")).toBe("auto-generated");
  expect(header("x-auto-response-suppress")).toBe("All");
  expect(mail?.text).toContain(`> ${message.replace("\n", "\n> ")}`);
  expect(mail?.text).toContain(`https://tawasul.example/admin?open=${id}`);
  expect(mail?.source).toContain("Content-Type: text/html");
});

test("a mail whose reply would not reach the visitor says so, with the address to write to", async ({
  smtp,
  site,
}) => {
  await site.open({ SMTP_URL: smtp.url, MAIL_FROM });
  await site.leave({ name: "محمد", email: "محمد@مثال.السعودية" });
  await expect.poll(site.count(smtp.mails), patience).toBe(1);
  const [mail] = smtp.mails;
  expect(mail?.headers.has("reply-to")).toBe(false);
  expect(mail?.text).toContain("محمد@مثال.السعودية");
  expect(mail?.text).toContain("الرد على هذا التنبيه لا يصل إلى صاحب الرسالة");
  expect(mail?.text).not.toContain("يصل إلى صاحب الرسالة أيضًا");
});

test("no header but Reply-To has a visitor's text", async ({ smtp, site }) => {
  await site.open({ SMTP_URL: smtp.url, MAIL_FROM });
  const email = "visitor-mark@example.com";
  await site.leave({
    name: "Visitor-Mark",
    email,
    message: "Visitor-Mark\nBcc: a@b.example",
  });
  await expect.poll(site.count(smtp.mails), patience).toBe(1);
  const [mail] = smtp.mails;
  const marked = Array.from(mail?.headers ?? []).filter(([, value]) => /visitor-mark/i.test(value));
  expect(marked.map(([header]) => header)).toEqual(["reply-to"]);
  expect(mail?.headers.has("bcc")).toBe(false);
});

test("an encoded-word in a visitor's name stays text", async ({ smtp, site }) => {
  await site.open({ SMTP_URL: smtp.url, MAIL_FROM });
  await site.leave({ name: "=?UTF-8?B?2LM=?= =?utf-8?q?=D8=B3?=" });
  await expect.poll(site.count(smtp.mails), patience).toBe(1);
  const replyTo = smtp.mails[0]?.headers.get("reply-to");
  expect(replyTo).toBe('"= ?UTF-8?B?2LM= ?= = ?utf-8?q?=D8=B3?=" <sara@example.com>');
});

test("with NOTIFICATION_BODY=none the mail does not quote the message", async ({ smtp, site }) => {
  await site.open({ SMTP_URL: smtp.url, MAIL_FROM, NOTIFICATION_BODY: "none" });
  await site.leave({ name: "هند", message: "سر لا يقرؤه غيرك" });
  await expect.poll(site.count(smtp.mails), patience).toBe(1);
  expect(smtp.mails[0]?.text).toContain("هند");
  expect(Buffer.from(smtp.mails[0]?.source ?? "").toString()).not.toContain("سر لا");
  expect(smtp.mails[0]?.text).not.toContain("سر لا");
});

test("after a flood one mail is sent, and one for the rest ten minutes later", async ({
  server,
  smtp,
  site,
}) => {
  await site.open({ SMTP_URL: smtp.url, MAIL_FROM });
  await site.leave();
  await expect.poll(site.count(smtp.mails), patience).toBe(1);
  for (let count = 0; count < 30; count += 1) {
    await site.leave({ name: `زائر ${count}` });
  }
  await passOnceSettled(server.sql, "10 minutes");
  await expect.poll(site.count(smtp.mails), patience).toBe(2);
  const digest = smtp.mails[1];
  expect(digest?.headers.get("subject")).toBe("٣٠ رسالة جديدة من موقعك");
  expect(digest?.headers.has("reply-to")).toBe(false);
  expect(digest?.text).toContain("زائر 29");
  expect(digest?.text).not.toContain("زائر 9 ");
  expect(digest?.text).toContain("وفي اللوحة ١٠ رسائل أخرى.");
});

test.for([
  ["mailbox busy", { RCPT: "450 4.2.1 Greylisted" }, "later"],
  ["refused text", { text: "554 5.7.1 Looks like spam of <owner@example.com>" }, "refused"],
] as const)(
  "%s: the owner sees the fault, and the mail is sent later",
  async ([, faults, cause], { server, smtp, site }) => {
    await site.open({ SMTP_URL: smtp.url, MAIL_FROM });
    smtp.faults = { ...faults };
    await site.leave();
    await expect.poll(site.fault, patience).toBe(cause);
    expect(await site.state()).toMatchObject({
      stuck: 1,
      sent_at: null,
      next_at: expect.any(String),
    });
    expect((await site.state()).reply ?? "").not.toContain("owner@example.com");
    smtp.faults = {};
    await passOnceSettled(server.sql, "1 minute");
    await expect.poll(site.count(smtp.mails), patience).toBe(1);
    await expect.poll(site.fault, patience).toBe(null);
    expect(await site.state()).toMatchObject({ stuck: 0, failed_at: expect.any(String) });
  },
);

test("a text that the mail server refuses keeps no later message from the owner", async ({
  server,
  smtp,
  site,
}) => {
  await site.open({ SMTP_URL: smtp.url, MAIL_FROM });
  smtp.refusedWords = "XJS*C4JDBQADN1";
  const refused = {
    name: "رانية",
    email: "rania@example.com",
    message: "XJS*C4JDBQADN1.NSBN3*2IDNEN*",
  };
  await site.leave(refused);
  await expect.poll(site.count(smtp.mails), patience).toBe(1);
  expect(smtp.mails[0]?.text).toContain("لم يقبل خادم البريد نصها");
  expect(smtp.mails[0]?.headers.has("reply-to")).toBe(false);
  for (const text of Object.values(refused)) {
    expect(smtp.mails[0]?.text).not.toContain(text);
  }
  await passOnceSettled(server.sql, "10 minutes");
  await site.leave({ name: "هند" });
  await expect.poll(site.count(smtp.mails), patience).toBe(2);
  expect(smtp.mails[1]?.text).toContain("هند");
});

test("an inbox that has lost its owner sends no mail", async ({ server, smtp, site }) => {
  const { sql } = server;
  await server.leave({});
  const [owner] = await sql`delete from private.site_owner returning user_id`;
  await site.open({ SMTP_URL: smtp.url, MAIL_FROM });
  const fault = async () => {
    const [channel] =
      await sql`select fault from private.notification_channels where channel = 'mail'`;
    return channel?.["fault"];
  };
  await expect.poll(fault, patience).toBe("nobody");
  await sql`insert into private.site_owner (user_id) values (${owner?.["user_id"]})`;
  await passOnceSettled(server.sql, "1 minute");
  await expect.poll(site.count(smtp.mails), patience).toBe(1);
  expect(smtp.mails[0]?.to).toBe(server.owner);
});
