import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright/test";
import { expect } from "./test.ts";

/** A state of a page: its name, its address, and what leads to it from there. */
export type Look = [what: string, path: string, change?: (page: Page) => Promise<unknown>];

const widths = [320, 360, 390, 768];
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Expects each of these states to fit windows of all widths from 320 px, and axe to report nothing.
 * It looks at light colours alone: the contrast of both schemes is computed (tests/contrast.test.ts).
 */
export async function expectLooks(page: Page, looks: readonly Look[]): Promise<void> {
  for (const [what, path, change] of looks) {
    // An empty one goes on from the state before.
    if (path !== "") {
      await page.goto(path);
    }
    await change?.(page);
    await expectFit(page, what);
    // axe must not judge the colours of an element that is still fading in; a resize cancels some.
    await page.evaluate(() =>
      Promise.allSettled(document.getAnimations().map(({ finished }) => finished)),
    );
    // The page is one frame, so axe needs no page of its own to put the frames' findings together.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(tags).analyze();
    const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
    expect(findings, what).toEqual([]);
  }
}

/** Expects a page that does not scroll sideways in a window of any width from 320 px. */
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
