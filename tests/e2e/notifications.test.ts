import { expect, leaveMessage, newMessage, signUp, test } from "#tests/support/browser/test.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { type SmtpServer, startSmtp } from "#tests/support/smtp.ts";

let site: RunningSite;
let smtp: SmtpServer;
test.beforeAll(async () => {
  smtp = await startSmtp();
  site = await startSite({ SMTP_URL: smtp.url, MAIL_FROM: "site@example.com" });
});
test.afterAll(async () => {
  await site.stop();
  await smtp[Symbol.asyncDispose]();
});
test.slow();

test("the owner sees failed notifications with their cause, retries them, and sends a test", async ({
  browser,
  scripts,
}) => {
  const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: scripts });
  const page = await context.newPage();
  const { email } = await signUp(page);
  await page.goto(site.claimPath());
  await page.getByRole("button", { name: "نعم، اجعله لي وحدي" }).click();
  await expect(page.getByText("صار الصندوق لك وحدك")).toBeVisible();

  smtp.faults = { RCPT: "550 5.1.1 Unknown" };
  await leaveMessage(context, newMessage());
  const fault = page.getByText("تعذّر تنبيهك برسالة عبر البريد: رفض الخادم التنبيه");
  await expect(async () => {
    await page.goto("/admin");
    await expect(fault).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 20_000 });
  await page.getByRole("link", { name: "التنبيهات" }).click();
  const section = page.getByRole("region", { name: "التنبيهات" });
  await expect(section).toContainText("رد الخادم: 550 5.1.1 Unknown");
  await expect(section).toContainText("لم يصل بها تنبيه بعد");

  smtp.faults = {};
  await page.goto("/admin");
  await page.getByRole("button", { name: "أعد المحاولة" }).click();
  await expect(page.getByText("تُعاد المحاولة الآن")).toBeVisible();
  await expect.poll(() => smtp.mails.length, { timeout: 15_000 }).toBe(1);
  await expect(page).toHaveURL(/\/admin$/);
  await expect(async () => {
    await page.reload();
    await expect(fault).toHaveCount(0, { timeout: 500 });
  }).toPass();

  await page.goto("/account");
  await page.getByRole("button", { name: "أرسل تجربة إلى البريد" }).click();
  await expect(page.getByText("أُرسل التنبيه التجريبي")).toBeVisible();
  await expect(section).toContainText("آخر تنبيه وصل قبل دقيقة");
  expect(smtp.mails.map(({ to }) => to)).toEqual([email, email]);
});
