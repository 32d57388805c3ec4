import type { Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import { action, card, noteIn, openMessage, useBoard } from "#tests/support/browser/board.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";

// Presses that their owner did not mean for the message that they reached.

const board = useBoard();

const names = ["نورة", "سعد", "ليلى", "ريم"];

const archived = (page: Page) => notice(page, "أُرشفت رسالة واحدة");

test("a finger's tap on a row opens its message and does nothing else", async () => {
  await board.store(names.slice(0, 2));
  const page = await board.open({ viewport: { width: 360, height: 900 }, hasTouch: true });
  const row = await card(page, "سعد").boundingBox();
  const { x, y, width: wide } = row ?? { x: 0, y: 0, width: 0 };
  // At the start are the star and its box, in the second line the address.
  for (const [share, from] of [
    [0.05, 42],
    [0.2, 20],
    [0.5, 70],
    [0.97, 8],
  ] as const) {
    await page.touchscreen.tap(x + wide * share, y + from);
    await expect(noteIn(page), `${share} of the row, ${from} px below`).toBeVisible();
    await expect(page).toHaveURL(/open=/);
    await expect(page.locator("article :checked")).toHaveCount(0);
    await page.goBack();
    // The address changes a moment before the list is back.
    await expect(noteIn(page)).toHaveCount(0);
  }
});

test("the second click of a slow double click does not reach the next message", async () => {
  await board.store(names);
  // So wide that no date has a line of its own: the next message's buttons are then at the same place.
  const page = await board.open({ viewport: { width: 1440, height: 900 } });
  await expect(liveBadge(page)).toBeVisible();
  await page.clock.install();
  await openMessage(page, "سعد");
  await page.clock.pauseAt(Date.now() + 60_000);
  const place = await action(page, "أرشفة").boundingBox();
  const click = () => page.mouse.click((place?.x ?? 0) + 10, (place?.y ?? 0) + 10);
  await click();
  await expect(archived(page)).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(3);
  await expect.poll(() => action(page, "أرشفة").boundingBox()).toEqual(place);
  await click();
  await page.getByRole("button", { name: "تراجع" }).press("Enter");
  await expect(notice(page, "عادت رسالة واحدة من الأرشيف")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(4);
  await page.clock.runFor(500);
  await click();
  await expect(page.getByRole("article")).toHaveCount(3);
});
