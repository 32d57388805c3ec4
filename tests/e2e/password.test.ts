import type { Page } from "playwright/test";
import { mailTo, notice } from "#tests/support/browser/account.ts";
import { expect, signUp, test } from "#tests/support/browser/test.ts";

const newPassword = "كلمة مرور جديدة";

async function askForMail(page: Page, email: string) {
  await page.goto("/auth");
  await page.getByRole("link", { name: "نسيت كلمة المرور؟" }).click();
  await page.getByLabel("البريد الإلكتروني").fill(email);
  await page.getByRole("button", { name: "إرسال الرسالة" }).click();
  await expect(page).toHaveURL(/\/auth\/confirm\?type=recovery&sent/);
  await expect(page.getByText("إن كان لهذا العنوان حساب")).toBeVisible();
}

async function choosePassword(page: Page, password: string) {
  await expect(page).toHaveURL(/\/account\/password$/);
  await page.getByLabel("كلمة المرور الجديدة").fill(password);
  await page.getByRole("button", { name: "حفظ كلمة المرور" }).click();
}

test("a forgotten password is reset by mail, and the link works once", async ({
  page,
  browser,
  site,
}) => {
  const other = await browser.newPage();
  const account = await signUp(other);

  await askForMail(page, account.email);
  const { link } = await mailTo(site, account.email);
  // A mail scanner that opens the link does not use it up.
  expect((await page.request.get(link)).status()).toBe(200);
  await page.goto(link);
  await page.getByRole("button", { name: "اختيار كلمة مرور جديدة" }).click();
  await expect(page.getByLabel("كلمة المرور الحالية")).toHaveCount(0);
  await choosePassword(page, newPassword);
  await expect(page).toHaveURL(/\/account$/);
  await expect(notice(page, "تغيّرت كلمة المرور")).toBeVisible();

  // The account's other sessions have ended.
  await other.goto("/account");
  await expect(other).toHaveURL(/\/auth\?next=%2Faccount$/);

  await page.goto(link);
  await page.getByRole("button", { name: "اختيار كلمة مرور جديدة" }).click();
  await expect(page.getByRole("alert")).toContainText("انتهت صلاحية هذا الرابط");
  await expect(page.getByRole("link", { name: "إرسال رسالة جديدة" })).toHaveAttribute(
    "href",
    "/auth/forgot",
  );
});
