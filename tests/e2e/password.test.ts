import type { Page } from "playwright/test";
import { mailTo, notice, setUpFactor, submitCode } from "#tests/support/browser/account.ts";
import {
  expect,
  newAccount,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";

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

test("a forgotten password is reset by mail, and the link works once @once", async ({
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
  expect((await page.request.get(link)).status()).toBe(200);
  await page.goto(link);
  await page.getByRole("button", { name: "اختيار كلمة مرور جديدة" }).click();
  await expect(page.getByLabel("كلمة المرور الحالية")).toHaveCount(0);
  await choosePassword(page, "12345");
  await expect(page.getByLabel("كلمة المرور الجديدة")).toHaveJSProperty("validity.valid", false);
  await choosePassword(page, newPassword);
  await expect(page).toHaveURL(/\/account$/);
  await expect(notice(page, "تغيّرت كلمة المرور")).toBeVisible();

  // The open board may have noticed the end before, and has then left its session's cookie. One that
  // notices it now goes to /auth by itself, which interrupts this navigation.
  await expect(async () => {
    await other.goto("/admin");
  }).toPass();
  await expect(other).toHaveURL(/\/auth(\?next=%2Fadmin)?$/);

  await page.goto(link);
  await page.getByRole("button", { name: "اختيار كلمة مرور جديدة" }).click();
  await expect(page.getByRole("alert")).toContainText("انتهت صلاحية هذا الرابط");
  await expect(page.getByRole("link", { name: "إرسال رسالة جديدة" })).toHaveAttribute(
    "href",
    "/auth/forgot",
  );

  await page.goto("/account");
  await page.getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto("/auth");
  await submitCredentials(page, account, "تسجيل الدخول");
  await expect(page.getByText("البريد الإلكتروني أو كلمة المرور غير صحيحة.")).toBeVisible();
  await submitCredentials(page, { ...account, password: newPassword }, "تسجيل الدخول");
  await expect(page).toHaveURL(/\/admin$/);
});

test("the code from the mail works on another device; an unknown address gets the same answer @once", async ({
  page,
  browser,
  site,
}) => {
  const other = await browser.newPage();
  const account = await signUp(other);
  await askForMail(page, newAccount().email);
  await askForMail(page, account.email);
  const { code } = await mailTo(site, account.email);
  await other.context().clearCookies();

  await other.goto("/auth/confirm?type=recovery");
  await other.getByLabel("البريد الإلكتروني").fill(account.email);
  await other.getByLabel("الرمز من الرسالة").fill(code === "000000" ? "000001" : "000000");
  await other.getByRole("button", { name: "اختيار كلمة مرور جديدة" }).click();
  await expect(other.getByRole("alert")).toContainText("انتهت صلاحية هذا الرابط أو الرمز");
  await expect(other.getByLabel("البريد الإلكتروني")).toHaveValue(account.email);
  await other.getByLabel("الرمز من الرسالة").fill(code);
  await other.getByRole("button", { name: "اختيار كلمة مرور جديدة" }).click();
  await choosePassword(other, newPassword);
  await expect(other).toHaveURL(/\/account$/);
});

test("a recovery mail does not replace the second factor @once", async ({
  page,
  browser,
  site,
}) => {
  const account = await signUp(page);
  await page.goto("/account");
  await page.getByRole("button", { name: "إرسال رسالة تأكيد" }).click();
  await expect(notice(page, "تفقّد بريدك")).toBeVisible();
  await page.goto((await mailTo(site, account.email)).link);
  await page.getByRole("button", { name: "تسجيل الدخول" }).click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByRole("button", { name: "إرسال رسالة تأكيد" })).toHaveCount(0);
  await expect(page.getByRole("list", { name: "الأجهزة" }).getByRole("listitem")).toHaveCount(1);
  const { app } = await setUpFactor(page, account.password);
  const other = await browser.newPage();
  await askForMail(other, account.email);
  await other.goto((await mailTo(site, account.email, 2)).link);
  await other.getByRole("button", { name: "اختيار كلمة مرور جديدة" }).click();
  await expect(other).toHaveURL(/\/auth\/code\?next=%2Faccount%2Fpassword$/);
  await submitCode(other, app.code());
  await choosePassword(other, newPassword);
  await expect(other).toHaveURL(/\/account$/);
});

test("changing the password requires the current one and ends other sessions @once", async ({
  page,
}) => {
  const account = await signUp(page);
  await page.goto("/account");
  await page.getByRole("link", { name: "تغيير كلمة المرور" }).click();
  const current = page.getByLabel("كلمة المرور الحالية");
  await current.fill("not-the-one");
  await choosePassword(page, newPassword);
  await expect(current).toHaveAccessibleDescription("كلمة المرور الحالية غير صحيحة.");
  await current.fill(account.password);
  await choosePassword(page, account.password);
  await expect(page.getByLabel("كلمة المرور الجديدة")).toHaveAccessibleDescription(
    /هي الحالية نفسها/,
  );
  await current.fill(account.password);
  await choosePassword(page, newPassword);
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByRole("list", { name: "الأجهزة" }).getByRole("listitem")).toHaveCount(1);
});
