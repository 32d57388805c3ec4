import type { Page } from "playwright/test";
import { mailTo, notice } from "#tests/support/browser/account.ts";
import {
  expect,
  newAccount,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";

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
