import type { Page } from "playwright/test";
import { mailTo, notice } from "#tests/support/browser/account.ts";
import {
  expect,
  newAccount,
  submitCredentials,
  test as base,
} from "#tests/support/browser/test.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";

/** The site where every new account must confirm its address. */
const test = base.extend<object, { site: RunningSite }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const site = await startSite({ CONFIRM_EMAIL: "true" });
      await use(site);
      await site.stop();
    },
    { scope: "worker" },
  ],
});

test.slow();

async function register(page: Page, account = newAccount()) {
  await page.goto("/auth?mode=sign-up");
  await submitCredentials(page, account, "إنشاء حساب");
  await expect(page).toHaveURL(/\/auth\?check-mail$/);
  const created = notice(page, "تم إنشاء الحساب بنجاح");
  await expect(created.getByText("يمكنك الآن تسجيل الدخول", { exact: true })).toBeVisible();
  await expect(page.getByText("افتح بريدك لتأكيد الحساب")).toBeVisible();
  return account;
}

test("a new account confirms its address by the mail's link", async ({ page, site }) => {
  const account = await register(page);
  await submitCredentials(page, account, "تسجيل الدخول");
  await expect(notice(page, "حدث خطأ")).toContainText("Email not confirmed");
  await expect(page.getByRole("link", { name: "إعادة إرسال رسالة التأكيد" })).toBeVisible();

  const { link } = await mailTo(site, account.email);
  expect((await page.request.get(link)).status()).toBe(200);
  expect((await page.request.get(link)).status()).toBe(200);
  await page.goto(link);
  await page.getByRole("button", { name: "تأكيد بريدي" }).click();
  await expect(page).toHaveURL(/\/admin$/);
  await expect(notice(page, "تم تأكيد بريدك الإلكتروني")).toBeVisible();

  await page.goto(link);
  await page.getByRole("button", { name: "تأكيد بريدي" }).click();
  await expect(page.getByRole("alert")).toContainText("انتهت صلاحية هذا الرابط");
  await expect(page.getByRole("link", { name: "إرسال رسالة جديدة" })).toBeVisible();
});

test("the mail's code confirms the address on another device", async ({ page, browser, site }) => {
  const account = await register(page);
  const { code } = await mailTo(site, account.email);
  const other = await browser.newPage();
  await other.goto("/auth/confirm?type=signup");
  await other.getByLabel("البريد الإلكتروني").fill(account.email);
  await other.getByLabel("الرمز من الرسالة").fill(code);
  await other.getByRole("button", { name: "تأكيد بريدي" }).click();
  await expect(other).toHaveURL(/\/admin$/);
});
