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

test("three equal toasts are shown as one with a count", async ({ page }) => {
  await refuse(page, 3);
  const toast = notice(page, title);
  await expect(toast).toHaveCount(1);
  await expect(toast).toContainText("٣");
  expect((await toast.boundingBox())?.width).toBe(356);
  await page.getByRole("button", { name: "إغلاق الإشعار" }).click();
  await page.clock.runFor(removal);
  await expect(toast).toHaveCount(0);
  await refuse(page);
  await expect(toast).not.toContainText("٣");
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

test("a swipe of 20 px to either side removes a toast, a shorter one does not", async ({
  page,
}) => {
  const toast = notice(page, title);
  const swipe = async (distance: number) => {
    const { x = 0, y = 0, height = 0 } = (await toast.boundingBox()) ?? {};
    await page.mouse.move(x + 150, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 150 + distance, y + height / 2, { steps: 5 });
    await page.mouse.up();
  };
  for (const direction of [1, -1]) {
    await refuse(page);
    await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished)));
    const before = await toast.boundingBox();
    await swipe(direction * 19);
    expect(await toast.boundingBox()).toEqual(before);
    await swipe(direction * 20);
    await page.clock.runFor(removal);
    await expect(toast).toHaveCount(0);
  }
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
