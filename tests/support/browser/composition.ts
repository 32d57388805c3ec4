import type { Locator, Page } from "playwright/test";
import { owner } from "#app/content/owner.ts";
import type { Content } from "#tests/support/owned-site.ts";
import { expect } from "./test.ts";

export const widths = [320, 640, 1023, 1024, 1440, 2560];

/** Expects the parts of the contact card in their places at each width, with nothing sticking out. */
export async function expectComposition(page: Page, { name = owner.name }: Content = {}) {
  for (const width of widths) {
    // In a lower window the button lies over what has no room.
    await page.setViewportSize({ width, height: 1600 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await page.evaluate(overflowing)).toEqual([]);
    expect(await page.evaluate(brokenAddresses)).toEqual([]);
    const card = await box(page.getByRole("article"));
    const cardWidth = card.right - card.left;
    expect(Math.abs(card.left + card.right - width)).toBeLessThan(2);
    const heading = await box(page.getByRole("heading", { level: 1, name: name ?? "" }));
    const channels = await box(page.getByRole("list", { name: "قنوات التواصل" }));
    const form = await box(page.getByRole("region", { name: "راسلني" }));
    const starts = page.getByRole("link", { name: "Start Your Project Today" });
    await expect(starts).toHaveCount(1);
    const start = await box(starts);
    expect(heading.bottom).toBeLessThan(channels.top);
    expect(channels.bottom).toBeLessThan(start.top);
    expect(Math.abs(start.left - channels.left)).toBeLessThan(1);
    expect(Math.abs(start.right - channels.right)).toBeLessThan(1);
    const cover = { left: start.left, right: start.right };
    if (width < 1024) {
      expect(form.right - form.left).toBe(cardWidth);
      expect(form.top).toBeGreaterThan(start.bottom);
      expect(Math.abs(cover.left + cover.right - width)).toBeLessThan(2);
    } else {
      expect(cardWidth).toBeGreaterThan(Math.min(width * 0.9, 1180));
      expect(form.right).toBeLessThan(cover.left);
      expect(form.right - form.left).toBeGreaterThan(cardWidth / 2);
    }
  }
}

/** Evaluated in the page: the texts that stick out of their buttons. */
function overflowing() {
  const buttons = [...document.querySelectorAll<HTMLElement>("article li > *")];
  return buttons
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ innerText }) => innerText);
}

/** Evaluated in the page: the parts of addresses that break in the middle of a name. */
function brokenAddresses() {
  const parts = [...document.querySelectorAll(".address")].flatMap((one) => [...one.childNodes]);
  const range = document.createRange();
  return parts
    .filter((part) => {
      range.selectNodeContents(part);
      // A text that is cut has two in one line.
      return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1;
    })
    .map(({ textContent }) => textContent);
}

async function box(part: Locator) {
  const { x, y, width, height } = (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { left: x, right: x + width, top: y, bottom: y + height };
}
