import type { Page } from "playwright/test";
import { mailTo, notice } from "#tests/support/browser/account.ts";
import {
  expect,
  newAccount,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";

test.slow();

async function askForChange(page: Page, email: string, password: string) {
  await page.goto("/account");
  await page.getByRole("link", { name: "تغيير البريد" }).click();
  await page.getByLabel("البريد الجديد").fill(email);
  await page.getByLabel("كلمة المرور الحالية").fill(password);
  await page.getByRole("button", { name: "إرسال رسالة التأكيد" }).click();
}

test("a new address is used once its mail was confirmed, on any device", async ({
  page,
  browser,
  site,
}) => {
  const account = await signUp(page);
  const { email } = newAccount("new");
  await askForChange(page, email, "not-the-one");
  await expect(page.getByLabel("كلمة المرور الحالية")).toHaveAccessibleDescription(
    "كلمة المرور الحالية غير صحيحة.",
  );
  await expect(page.getByLabel("البريد الجديد")).toHaveValue(email);
  await askForChange(page, email, account.password);
  await expect(page).toHaveURL(/\/account$/);
  await expect(notice(page, "تفقّد بريدك")).toBeVisible();
  const section = page.getByRole("region", { name: "البريد الإلكتروني" });
  await expect(section.getByText(account.email)).toBeVisible();
  await expect(section.getByText(/ينتظر .* التأكيد/)).toContainText(email);

  const { link } = await mailTo(site, email);
  const other = await browser.newPage();
  await other.goto(link);
  await other.getByRole("button", { name: "تأكيد التغيير" }).click();
  await expect(other).toHaveURL(/\/auth$/);
  await expect(notice(other, "تغيّر بريدك الإلكتروني")).toBeVisible();
  await submitCredentials(other, { ...account, email }, "تسجيل الدخول");
  await expect(other).toHaveURL(/\/admin$/);

  await page.reload();
  await expect(section.getByText(email)).toBeVisible();
  await expect(page.getByRole("list", { name: "الأجهزة" }).getByRole("listitem")).toHaveCount(2);
});

test("with confirmation on, both mails must be confirmed", async ({ browser, start }) => {
  const site = await start({ CONFIRM_EMAIL: "true" });
  const page = await browser.newPage({ baseURL: site.url });
  const account = newAccount();
  await page.goto("/auth?mode=sign-up");
  await submitCredentials(page, account, "إنشاء حساب");
  await expect(page).toHaveURL(/\/auth\?check-mail$/);
  await page.goto((await mailTo(site, account.email)).link);
  await page.getByRole("button", { name: "تأكيد بريدي" }).click();
  await expect(page).toHaveURL(/\/admin$/);

  const { email } = newAccount("new");
  await askForChange(page, email, account.password);
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
