import { notice } from "#tests/support/browser/account.ts";
import { expectFit } from "#tests/support/browser/looks.ts";
import {
  expect,
  isHydrated,
  leaveMessage,
  liveBadge,
  newMessage,
  signUp,
  test,
} from "#tests/support/browser/test.ts";

test("long addresses stay within a small screen, and in their sentence @layout", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const account = await signUp(page);
  await page.goto("/account/email");
  await expect(page.locator("bdi").filter({ hasText: account.email })).toHaveCSS(
    "display",
    "inline",
  );
  await page.getByLabel("البريد الجديد").fill(`${"x".repeat(31)}@example.com`);
  await page.getByLabel("كلمة المرور الحالية").fill(account.password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("التأكيد. افتح الرابط")).toBeVisible();
  await expectFit(page, "a long address");
});

test("the not-found screen fits a small screen with text twice as large @scripts", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/nowhere");
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("signing out removes toasts about messages @scripts", async ({ page, context }) => {
  await signUp(page);
  await page.waitForFunction(isHydrated);
  await expect(liveBadge(page)).toBeVisible();
  await leaveMessage(context, newMessage());
  await expect(notice(page, "رسالة جديدة!")).toBeVisible();
  await page.getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(notice(page, "تم تسجيل الخروج")).toBeVisible();
  // At once: after some seconds it would go by itself.
  expect(await notice(page, "رسالة جديدة!").count()).toBe(0);
});
