import type { Sql } from "embedded-supabase/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ClaimedSite, startClaimedSite } from "#tests/support/claimed-site.ts";
import { passOnceSettled } from "#tests/support/notifications-test.ts";
import { type RunningSite, startMs } from "#tests/support/site.ts";
import { type SmtpServer, startSmtp } from "#tests/support/smtp.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { Visitor, signedUp } from "#tests/support/visitor.ts";

const patience = { timeout: 15_000 };

let smtp: SmtpServer;
let site: RunningSite;
let owner: ClaimedSite["owner"];
const mailSettings = () => ({ SMTP_URL: smtp.url, MAIL_FROM: "site@example.com" });
beforeAll(async () => {
  smtp = await startSmtp();
  ({ site, owner } = await startClaimedSite(mailSettings()));
}, startMs);
afterAll(async () => {
  await site?.stop();
  await smtp?.[Symbol.asyncDispose]();
});

let texts = 0;
async function leave(at = site): Promise<string> {
  texts += 1;
  const text = `أريد صفحة رقم ${texts}.`;
  const visitor = new Visitor(at);
  await visitor.get("/");
  const form = { name: "هند", email: "hind@example.com", message: text, t_extra: "" };
  expect((await visitor.post("/", form)).status).toBe(302);
  return text;
}

const came = (text: string) => smtp.mails.filter((mail) => mail.text.includes(text)).length;

const inDatabase = <Row>(use: (sql: Sql) => Promise<Row>) => withSuperuser(site.dataDir, use);
const later = (time: string) => inDatabase((sql) => passOnceSettled(sql, time));

test("a message from the form reaches the owner within seconds", async () => {
  const text = await leave();
  await expect.poll(() => came(text), patience).toBe(1);
  expect(smtp.mails.at(-1)?.to).toBe(owner.credentials.email);
  const account = async () => (await owner.get("/account")).text;
  const doubt = "لم تؤكّد هذا العنوان بعد: إن كان فيه خطأ قرأ غيرك رسائل زوارك";
  // The site notes it after the last byte of the mail.
  await expect.poll(account).toMatch(/آخر تنبيه وصل قبل دقيقة/);
  expect(await account()).toContain(doubt);
  await inDatabase(
    (sql) => sql`
      update auth.identities set identity_data = identity_data || '{"email_verified": true}'`,
  );
  expect(await account()).not.toContain(doubt);
  expect((await owner.get("/admin")).text).not.toContain("تعذّر تنبيهك");
});

test("a test is sent at once, a failure is shown, and only the owner can send one", async () => {
  const ask = () => owner.post("/account", { action: "test-notification", channel: "mail" });
  const before = smtp.mails.length;
  expect((await ask()).headers.location).toBe("/account#notifications");
  expect((await owner.get("/account")).text).toContain("أُرسل التنبيه التجريبي");
  expect(smtp.mails.slice(before).map(({ headers }) => headers.get("subject"))).toEqual([
    "تنبيه تجريبي من موقعك",
  ]);
  await later("15 seconds");
  await ask();
  expect((await owner.get("/account")).text).toContain("انتظر نصف دقيقة");
  await later("1 minute");
  smtp.faults = { AUTH: "535 5.7.8 Wrong" };
  await ask();
  const { text } = await owner.get("/account");
  expect(text).toContain("لم يُرسل التنبيه التجريبي");
  expect(text).toContain("535 5.7.8 Wrong");
  smtp.faults = {};

  const stranger = await signedUp(site);
  expect((await stranger.get("/account")).text).not.toContain("test-notification");
  expect(
    (await stranger.post("/account", { action: "test-notification", channel: "mail" })).status,
  ).toBe(302);
  expect((await stranger.get("/account")).text).toContain("التنبيهات لصاحب الصندوق وحده");
  expect(
    (await owner.post("/account", { action: "test-notification", channel: "pigeon" })).status,
  ).toBe(302);
  expect((await owner.get("/account")).text).toContain("اختر طريقة من القائمة");
});

test("a failed notification is shown on the board with its cause until it arrives, which a test can speed up", async () => {
  await later("10 minutes");
  smtp.faults = { RCPT: "550 5.1.1 Unknown" };
  const text = await leave();
  const board = async () => (await owner.get("/admin")).text;
  await expect.poll(board, patience).toContain("تعذّر تنبيهك برسالة عبر البريد: رفض الخادم التنبيه");
  expect((await owner.get("/account")).text).toContain("المحاولة التالية: ");
  smtp.faults = {};
  await owner.post("/account", { action: "test-notification", channel: "mail" });
  await expect.poll(() => came(text), patience).toBe(1);
  await expect.poll(board, patience).not.toContain("تعذّر تنبيهك");
});
