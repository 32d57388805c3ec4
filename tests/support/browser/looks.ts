import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright/test";
import { expect, test } from "./test.ts";

const widths = [320, 360, 390, 768];

/**
 * Expects the page to fit windows of all widths from 320 px, and axe to report nothing, nor a weak
 * contrast in dark colours.
 */
export async function expectGoodLooks(page: Page, what: string): Promise<void> {
  await expectFit(page, what);
  if (test.info().project.name === "slow with narrow letters") {
    // What axe reports does not depend on the font.
    return;
  }
  // The page is one frame, so axe needs no page of its own to put the frames' findings together.
  const axe = () => new AxeBuilder({ page }).setLegacyMode();
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  await expectNothing(page, axe().withTags(tags), what);
  // Of all that axe reports only the contrast can differ.
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNothing(page, axe().withRules("color-contrast"), `${what}, dark`);
  await page.emulateMedia({ colorScheme: "light" });
}

async function expectNothing(page: Page, axe: AxeBuilder, what: string) {
  // axe must not judge the colours of an element that is still fading in; a resize cancels some.
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map(({ finished }) => finished)),
  );
  const { violations } = await axe.analyze();
  const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
  expect(findings, what).toEqual([]);
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
