import type { Page } from "playwright/test";
import { notice, startScripts } from "#tests/support/browser/account.ts";
import { expect, submitCredentials, test } from "#tests/support/browser/test.ts";

const title = "خطأ في البيانات";
const lifetime = 5000;
const removal = 500;

/** Has the form of /auth refuse what was typed, with a toast and without a request. */
async function refuse(page: Page, times = 1) {
  for (let time = 0; time < times; time += 1) {
    await submitCredentials(page, { email: "abc", password: "long enough" }, "تسجيل الدخول");
  }
}

test.beforeEach(async ({ page }) => {
  await page.clock.install();
  await page.goto("/auth");
  await startScripts(page);
  // From now on nothing leaves by itself.
  await page.clock.pauseAt(Date.now() + 10_000);
});

test("an equal toast is not shown again, but starts its time again", async ({ page }) => {
  await refuse(page);
  await page.clock.runFor(lifetime - 1000);
  await refuse(page, 2);
  const toast = notice(page, title);
  await expect(toast).toHaveCount(1);
  expect((await toast.boundingBox())?.width).toBe(356);
  await page.mouse.move(5, 5);
  await page.getByLabel("البريد الإلكتروني").focus();
  await page.clock.runFor(lifetime - 1000);
  await expect(toast).toHaveCount(1);
  await page.clock.runFor(1000 + removal);
  await expect(toast).toHaveCount(0);
});

test("a new result takes the place of the toast before", async ({ page }) => {
  await refuse(page);
  await expect(notice(page, "البريد الإلكتروني غير صحيح")).toHaveCount(1);
  await submitCredentials(page, { email: "a@example.com", password: "abc" }, "تسجيل الدخول");
  await expect(notice(page, "كلمة المرور يجب أن تكون")).toHaveCount(1);
  await expect(notice(page, title)).toHaveCount(1);
});

test("a toast leaves after five seconds, but not while hovered or focused", async ({ page }) => {
  const toast = notice(page, title);
  await refuse(page);
  await toast.hover();
  await page.clock.runFor(lifetime + 1500);
  await expect(toast).toBeVisible();
  await page.getByRole("button", { name: "إغلاق الإشعار" }).focus();
  await page.mouse.move(5, 5);
  await page.clock.runFor(lifetime + 1500);
  await expect(toast).toBeVisible();
  await page.getByLabel("البريد الإلكتروني").focus();
  await page.clock.runFor(lifetime + removal);
  await expect(toast).toHaveCount(0);
});

test("at 400 % zoom no toast covers the field in error", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await refuse(page);
  const field = page.getByLabel("البريد الإلكتروني");
  await expect(notice(page, title)).toHaveCount(1);
  await expect(field).toBeFocused();
  for (const part of [field, page.locator("#email-error")]) {
    await expect(part).toBeInViewport({ ratio: 1 });
    expect(await part.evaluate(isOnTop)).toBe(true);
  }
});

function isOnTop(element: Element) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const points = [top + 2, bottom - 2].map((y) => document.elementFromPoint((left + right) / 2, y));
  return points.every((found) => found === element);
}
