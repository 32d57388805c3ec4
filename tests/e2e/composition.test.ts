import { expectComposition, widths } from "#tests/support/browser/composition.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test("the shipped card is centred, with its cover above or beside the lists and the form", async ({
  page,
}) => {
  await page.goto("/");
  await expectComposition(page);
});

test("the shipped page does not scroll in a window that it fits into", async ({ page }) => {
  await page.goto("/");
  for (const width of widths) {
    await page.setViewportSize({ width, height: 4000 });
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(4000);
  }
});
