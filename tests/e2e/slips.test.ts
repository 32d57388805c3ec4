import type { Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import { card, toggle, useBoard } from "#tests/support/browser/board.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";

// Presses that their owner did not mean for the message that they reached.

const board = useBoard();

const names = ["نورة", "سعد", "ليلى", "ريم"];

const archived = (page: Page) => notice(page, "أُرشفت رسالة واحدة");

test("a finger's tap on a row opens its message and does nothing else", async () => {
  await board.store(names);
  for (const width of [1024, 1440]) {
    const page = await board.open({ viewport: { width, height: 900 }, hasTouch: true });
    for (const name of names) {
      const row = await card(page, name).boundingBox();
      for (const share of [0.05, 0.2, 0.5]) {
        await page.goto("/admin");
        await page.touchscreen.tap((row?.x ?? 0) + (row?.width ?? 0) * share, (row?.y ?? 0) + 20);
        const note = page.getByLabel("ملاحظة لك وحدك").filter({ visible: true });
        await expect(note, `${name} at ${share} of ${width} px`).toHaveCount(1);
        await expect(page.getByRole("article")).toHaveCount(names.length);
      }
    }
  }
});

test("a held key sorts one message, and moves through the list @scripts", async () => {
  await board.store(names);
  const page = await board.open();
  await expect(liveBadge(page)).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.down("e");
  await expect(archived(page)).toBeVisible();
  await expect(card(page, "نورة")).toHaveCount(0);
  for (let count = 0; count < 5; count += 1) {
    await page.keyboard.down("e");
  }
  await page.keyboard.up("e");
  // Brings back the last one only.
  await page.keyboard.press("z");
  await expect(notice(page, "عادت رسالة واحدة من الأرشيف")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(names.length);
});

test("the second click of a slow double click does not reach the next message @scripts", async () => {
  await board.store(names);
  const page = await board.open({ viewport: { width: 1280, height: 900 } });
  await expect(liveBadge(page)).toBeVisible();
  await page.clock.install();
  await toggle(card(page, "سعد"));
  await page.clock.pauseAt(Date.now() + 60_000);
  const archive = () => page.getByRole("button", { name: "أرشفة" }).filter({ visible: true });
  const place = await archive().boundingBox();
  const click = () => page.mouse.click((place?.x ?? 0) + 10, (place?.y ?? 0) + 10);
  await click();
  await expect(archived(page)).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(3);
  await expect.poll(() => archive().boundingBox()).toEqual(place);
  await click();
  await page.getByRole("button", { name: "تراجع" }).press("Enter");
  await expect(notice(page, "عادت رسالة واحدة من الأرشيف")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(4);
  await page.clock.runFor(500);
  await click();
  await expect(page.getByRole("article")).toHaveCount(3);
});
