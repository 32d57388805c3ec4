import type { Page } from "playwright/test";
import { notice, startScripts } from "#tests/support/browser/account.ts";
import {
  expect,
  fillMessage,
  isHydrated,
  newAccount,
  newMessage,
  signUp,
  test,
} from "#tests/support/browser/test.ts";

const toggle = (page: Page) => page.getByRole("button", { name: "ليس لديك حساب؟ سجل الآن" });
const email = (page: Page) => page.getByLabel("البريد الإلكتروني");

test("the toggle of /auth keeps the typed address", async ({ page, scripts }) => {
  await page.goto("/auth?next=%2Faccount");
  if (scripts) {
    await startScripts(page);
  }
  const account = newAccount();
  await email(page).fill(account.email);
  await page.getByLabel("كلمة المرور").fill("typed");
  await toggle(page).click();
  await expect(page.getByRole("heading", { name: "إنشاء حساب" })).toBeVisible();
  await expect(page).toHaveURL(/\/auth\?mode=sign-up&next=%2Faccount$/);
  await expect(page).toHaveTitle("إنشاء حساب");
  await expect(email(page)).toHaveValue(account.email);
  await expect(notice(page, "خطأ في البيانات")).toHaveCount(0);
  if (scripts) {
    await expect(page.getByLabel("كلمة المرور")).toHaveValue("typed");
  }
  await page.getByRole("button", { name: "لديك حساب؟ سجل الدخول" }).click();
  await expect(page.getByRole("heading", { name: "تسجيل الدخول" })).toBeVisible();
  await expect(email(page)).toHaveValue(account.email);
  await expect(page).toHaveURL(/\/auth\?next=%2Faccount$/);
});

test("what was typed survives a lost connection: by going back, and by sending again @once", async ({
  page,
}) => {
  const text = newMessage();
  await page.goto("/");
  await fillMessage(page, text);
  await page.context().setOffline(true);
  await page.getByText("لوحة الرسائل", { exact: true }).click();
  await page.waitForURL(/^chrome-error:/);
  await page.context().setOffline(false);
  await page.goBack();
  await expect(page.getByLabel("الاسم")).toHaveValue(text.name);
  await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "إرسال الرسالة" }).click();
  await page.waitForURL(/^chrome-error:/);
  await page.context().setOffline(false);
  // The browser asks whether to send the form again.
  await page.reload();
  await expect(page.getByRole("blockquote")).toHaveText(text.message);
});

test("two quick clicks send one request, and the buttons are disabled meanwhile @scripts", async ({
  page,
}) => {
  await page.clock.install();
  await signUp(page);
  await page.goto("/account");
  await page.waitForFunction(isHydrated);
  const gate = Promise.withResolvers<void>();
  let posts = 0;
  await page.route(/\.data/, async (route) => {
    if (route.request().method() === "POST") {
      posts += 1;
      await gate.promise;
    }
    await route.continue();
  });
  const confirm = page.getByRole("button", { name: "إرسال رسالة تأكيد" });
  await confirm.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(confirm).toBeDisabled();
  await expect(page.getByRole("link", { name: "لوحة الرسائل" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  // A tab that hears of another account reloads its data, which must not drop the late response.
  await page.evaluate(() => new BroadcastChannel("session").postMessage("another"));
  await page.clock.fastForward(11_000);
  gate.resolve();
  await expect(notice(page, "تفقّد بريدك")).toBeVisible();
  expect(posts).toBe(1);
});
