import type { Page } from "playwright/test";
import { toggle } from "#tests/support/browser/board.ts";
import {
  cardOf,
  expect,
  liveBadge,
  newMessage,
  signUp,
  test,
} from "#tests/support/browser/test.ts";
import { storeMessages } from "#tests/support/messages.ts";

// An animation whose element is removed meanwhile counts as finished.
const settled = (page: Page) =>
  page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));

// Of 255. A corner may differ by one shade between two screenshots.
const visible = 48;

/** The largest difference of any colour of any pixel. Both pictures have the same size. */
function largestDifference(page: Page, ...pictures: Buffer[]): Promise<number> {
  return page.evaluate(
    async (files) => {
      const [one, other] = await Promise.all(
        files.map(async (file) => {
          const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes]));
          const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
          canvas?.drawImage(image, 0, 0);
          return canvas?.getImageData(0, 0, image.width, image.height).data ?? [];
        }),
      );
      return Array.from(one ?? []).reduce(
        (most, color, index) => Math.max(most, Math.abs(color - (other?.[index] ?? 0))),
        0,
      );
    },
    pictures.map((picture) => picture.toString("base64")),
  );
}

test("stacked marks do not cover anything outside their card @once", async ({
  page,
  scripts,
  site,
}) => {
  const above = "ا" + "\u0610".repeat(300);
  const below = "ا" + "\u0655".repeat(300);
  const onName = "ع" + "\u0610".repeat(45) + "\u0655".repeat(45);
  const piled = { ...newMessage(), name: onName, message: `${above}\n${below}\n`.repeat(3) };
  const nameless = { ...newMessage(), name: "\u0483\u0484".repeat(50) };
  const rows = [newMessage(), piled, nameless, newMessage()];
  await storeMessages(
    site.dataDir,
    rows.map((row, index) => ({ ...row, created_at: new Date(Date.now() + index) })),
  );
  await signUp(page);
  const cards = page.getByRole("article");
  await expect(cards.first()).toBeVisible();
  // The sign-up's toast could appear or leave during the comparison.
  if (scripts) {
    const toast = page.getByRole("button", { name: "إغلاق الإشعار" });
    await toast.click();
    await expect(toast).toBeHidden();
    await expect(liveBadge(page)).toBeVisible();
  }
  await settled(page);

  const email = page.getByRole("link", { name: piled.email });
  const card = cards.filter({ has: email });
  const around = [page.getByRole("heading", { level: 1 }), cards.nth(0), cards.nth(3), email];
  // High enough for all cards: scrolling between two screenshots changes pixels.
  await page.setViewportSize({ width: 1280, height: 3000 });
  const shoot = async () => {
    const images: Buffer[] = [];
    for (const part of around) {
      images.push(await part.screenshot({ animations: "disabled" }));
    }
    return images;
  };
  // A rounded corner may differ by one shade.
  for (const buttons of await page.locator("article .actions").all()) {
    await buttons.evaluate((element) => (element.style.visibility = "hidden"));
  }
  const defaced = await shoot();
  for (const part of [card.getByRole("heading"), card.locator(".text")]) {
    await part.evaluate((element) => (element.style.color = "transparent"));
  }
  const clean = await shoot();
  for (const [index, image] of defaced.entries()) {
    const difference = await largestDifference(page, image, clean[index] ?? image);
    expect(difference, `part ${index}`).toBeLessThan(visible);
  }

  const header = cards.filter({ hasText: nameless.email }).locator("header");
  const [inner, outer] = [await header.locator("time").boundingBox(), await header.boundingBox()];
  expect(outer?.height).toBeGreaterThan(20);
  expect(outer?.height).toBeLessThan(80);
  expect(inner?.width).toBeLessThanOrEqual(outer?.width ?? 0);
});

test("a very long message is cut while closed, and scrolls in its pane, by keyboard too @once", async ({
  page,
  site,
}) => {
  const long = { ...newMessage(), message: `أول${"\n".repeat(4900)}آخر` };
  await storeMessages(site.dataDir, [long, newMessage()]);
  await signUp(page);
  const card = cardOf(page, long);
  expect((await card.boundingBox())?.height).toBeLessThan(150);
  await toggle(card);
  const sheet = card.locator(".sheet");
  const top = () => sheet.evaluate(({ scrollTop }) => scrollTop);
  expect(await top()).toBe(0);
  await card.getByRole("link", { name: "ردّ بالبريد" }).focus();
  await page.keyboard.press("End");
  await expect.poll(top).toBeGreaterThan(100_000);
  expect(await page.evaluate(() => scrollY)).toBe(0);
});
