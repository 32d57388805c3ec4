import type { Page } from "playwright/test";
import { mailTo, notice } from "#tests/support/browser/account.ts";
import {
  expect,
  newAccount,
  submitCredentials,
  test,
  useOwnSite,
} from "#tests/support/browser/test.ts";

// Where every new account must confirm its address.
const site = useOwnSite({ CONFIRM_EMAIL: "true" });

async function register(page: Page, account = newAccount()) {
  await page.goto("/auth?mode=sign-up");
  await submitCredentials(page, account, "إنشاء حساب");
  await expect(page).toHaveURL(/\/auth\?check-mail$/);
  const created = notice(page, "تم إنشاء الحساب بنجاح");
  await expect(created.getByText("يمكنك الآن تسجيل الدخول", { exact: true })).toBeVisible();
  await expect(page.getByText("افتح بريدك لتأكيد الحساب")).toBeVisible();
  return account;
}

test("a new account confirms its address by the mail's link", async ({ page }) => {
  const account = await register(page);
  await submitCredentials(page, account, "تسجيل الدخول");
  await expect(notice(page, "حدث خطأ")).toContainText("Email not confirmed");
  await expect(page.getByRole("link", { name: "إعادة إرسال رسالة التأكيد" })).toBeVisible();

  const { link } = await mailTo(site, account.email);
  // A mail scanner that opens the link does not use it up.
  expect((await page.request.get(link)).status()).toBe(200);
  await page.goto(link);
  await page.getByRole("button", { name: "تأكيد بريدي" }).click();
  await expect(page).toHaveURL(/\/admin$/);
  await expect(notice(page, "تم تأكيد بريدك الإلكتروني")).toBeVisible();

  await page.goto(link);
  await page.getByRole("button", { name: "تأكيد بريدي" }).click();
  await expect(page.getByRole("alert")).toContainText("انتهت صلاحية هذا الرابط");
  await expect(page.getByRole("link", { name: "إرسال رسالة جديدة" })).toBeVisible();
  await page.getByRole("link", { name: "تسجيل الدخول" }).click();
  await expect(page).toHaveURL(/\/admin$/);
});

test("a change of the address is confirmed by both mails", async ({ page }) => {
  const account = await register(page);
  await page.goto((await mailTo(site, account.email)).link);
  await page.getByRole("button", { name: "تأكيد بريدي" }).click();
  await expect(page).toHaveURL(/\/admin$/);

  const { email } = newAccount("new");
  await page.goto("/account/email");
  await page.getByLabel("البريد الجديد").fill(email);
  await page.getByLabel("كلمة المرور الحالية").fill(account.password);
  await page.getByRole("button", { name: "إرسال رسالة التأكيد" }).click();
  await expect(notice(page, "تفقّد بريدك")).toBeVisible();
  await page.goto((await mailTo(site, email)).link);
  await page.getByRole("button", { name: "تأكيد التغيير" }).click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(notice(page, "بقي تأكيد واحد")).toBeVisible();

  const { code } = await mailTo(site, account.email, 2);
  await page.getByRole("link", { name: "اكتب الرمز هنا" }).click();
  await page.getByLabel("البريد الإلكتروني").fill(account.email);
  await page.getByLabel("الرمز من الرسالة").fill(code);
  await page.getByRole("button", { name: "تأكيد التغيير" }).click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(notice(page, "تغيّر بريدك الإلكتروني")).toBeVisible();
  await expect(page.getByRole("region", { name: "البريد الإلكتروني" })).toContainText(email);
});
