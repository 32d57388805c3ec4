import type { Locator, Page } from "playwright/test";
import { owner } from "#app/content/owner.ts";
import { linkedChannels } from "#app/content/shown.ts";
import { visibleAddress } from "#app/routes/home/visible-address.server.ts";
import { explained, pictured } from "#tests/support/browser/content.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const works = (page: Page) => page.getByRole("region", { name: "أعمالي" });
/** Each links to its work. */
const windowsOf = (page: Page) =>
  works(page)
    .getByRole("link")
    .filter({ has: page.locator("img") });
const switchOf = (page: Page) => page.getByRole("checkbox", { name: "لماذا صمّمتها هكذا؟" });

/** How far a window has unrolled its picture: from 0, the top, to 100. */
const unrolled = (window: Locator) =>
  window.locator("img").evaluate((img) => {
    const [, y = ""] = getComputedStyle(img).objectPosition.split(" ");
    return Number.parseFloat(y);
  });

/** The same at the end of the movement. */
async function unrolledAtLast(window: Locator) {
  await window
    .locator("img")
    .evaluate((img) => img.getAnimations().forEach((movement) => movement.finish()));
  return unrolled(window);
}

const without = {
  pictures: "The content has fewer than two pictures of works.",
  reasons: "The content has no reasons.",
};

test("a work's window unrolls to the page's end under the pointer, and at the keyboard's focus", async ({
  page,
}) => {
  test.skip(pictured.length < 2, without.pictures);
  await page.goto("/");
  const [first, second] = [windowsOf(page).nth(0), windowsOf(page).nth(1)];
  expect(await unrolled(first)).toBe(0);
  await first.hover();
  await expect.poll(() => unrolledAtLast(first)).toBe(100);
  await page.mouse.move(0, 0);
  await expect.poll(() => unrolledAtLast(first)).toBe(0);
  await second.focus();
  // A focus by script is shown as the keyboard's after a key was used.
  await page.keyboard.press("Shift+Tab");
  await expect.poll(() => unrolledAtLast(first)).toBe(100);
});

test.describe("where nothing can hover", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } });

  test("windows unroll as the page is scrolled, all at once in the strip", async ({ page }) => {
    test.skip(pictured.length < 2, without.pictures);
    await page.goto("/");
    const windows = await windowsOf(page).all();
    const states = () => Promise.all(windows.map(unrolled));
    expect(await states()).toEqual(windows.map(() => 0));
    const scrollTo = (block: ScrollLogicalPosition) =>
      works(page).evaluate((section, to) => section.scrollIntoView({ block: to }), block);
    await scrollTo("center");
    const middle = await states();
    for (const state of middle) {
      expect(state).toBeGreaterThan(5);
      expect(state).toBeLessThan(95);
    }
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    expect(await states()).toEqual(windows.map(() => 100));
  });
});

test("one switch shows the reasons of every work and of the page, as text", async ({ page }) => {
  test.skip(explained.length === 0, without.reasons);
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto("/");
  const reasons = works(page).getByRole("list", { name: "لماذا صمّمتها هكذا" });
  const addresses = linkedChannels(owner.channels).map((one) => visibleAddress(one.icon, one.link));
  const hasNumber = addresses.some((address) => address?.startsWith("+"));
  const notes = [/^لون الزعفران/, /^ثلاثة حقول/, ...(hasNumber ? [/^الرقم مكتوب/] : [])];
  await expect(reasons).toHaveCount(0);
  for (const note of notes) {
    await expect(page.getByText(note)).toBeHidden();
  }
  await switchOf(page).check();
  await expect(reasons).toHaveCount(explained.length);
  const texts = await reasons.getByRole("listitem").allInnerTexts();
  expect(texts).toEqual(explained.flatMap(({ why = [] }) => why));
  for (const note of notes) {
    await expect(page.getByText(note)).toBeVisible();
  }
  // The cover in a laptop's window has no room for this one.
  await page.setViewportSize({ width: 1280, height: 720 });
  await expect(page.getByText(/^لون الزعفران/)).toBeHidden();
  await switchOf(page).uncheck();
  await expect(reasons).toHaveCount(0);
});

test("the reasons never leave their window, at any width", async ({ page }) => {
  test.skip(explained.length === 0, without.reasons);
  await page.goto("/");
  await switchOf(page).check();
  for (const width of [320, 360, 640, 768, 1024, 1440, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    const overhang = await works(page)
      .getByRole("list", { name: "لماذا صمّمتها هكذا" })
      .evaluateAll((lists) =>
        lists.map((list) => {
          const window = list.parentElement?.querySelector("a > span")?.getBoundingClientRect();
          const items = [...list.children].map((item) => item.getBoundingClientRect());
          const tops = Math.min(...items.map(({ top }) => top)) - (window?.top ?? 0);
          return Math.min(tops, (window?.bottom ?? 0) - Math.max(...items.map((i) => i.bottom)));
        }),
      );
    expect(overhang).toHaveLength(explained.length);
    expect(Math.min(...overhang), `${width}`).toBeGreaterThanOrEqual(0);
  }
});
