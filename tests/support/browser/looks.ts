import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright/test";
import { expect } from "./test.ts";

/** A state of a page: its name, its address, and what leads to it from there. */
export type Look = [what: string, path: string, change?: (page: Page) => Promise<unknown>];

const widths = [320, 768];
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Expects each of these states to fit narrow windows, and axe to report nothing. It judges no colours,
 * which takes it most of its time: the contrast of both schemes is computed (tests/contrast.test.ts).
 */
export async function expectLooks(page: Page, looks: readonly Look[]): Promise<void> {
  for (const [what, path, change] of looks) {
    // An empty one goes on from the state before.
    if (path !== "") {
      await page.goto(path);
    }
    await change?.(page);
    await expectFit(page, what);
    // The page is one frame, so axe needs no page of its own to put the frames' findings together.
    const axe = new AxeBuilder({ page }).setLegacyMode().withTags(tags);
    const { violations } = await axe.disableRules("color-contrast").analyze();
    const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
    expect(findings, what).toEqual([]);
  }
}

/** Expects a page that does not scroll sideways in a window of 320 px, nor of a tablet's width. */
export async function expectFit(page: Page, what: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  const found: number[] = [];
  for (const width of widths) {
    await page.setViewportSize({ ...size, width });
    found.push(await page.evaluate(() => document.documentElement.scrollWidth));
  }
  await page.setViewportSize(size);
  expect(found, `widths of ${what}`).toEqual(widths);
}
