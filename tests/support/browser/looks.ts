import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContextOptions, Page } from "playwright/test";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import { signedUp } from "#tests/support/visitor.ts";
import { cookiesOf } from "./sites.ts";
import type { Look } from "./states.ts";
import { expect, test as base } from "./test.ts";

interface Fixtures {
  /** Opens a state of a page, with the same inbox for each. */
  open(state: Look, options?: BrowserContextOptions, within?: Browser): Promise<Page>;
}

const row = { email: "visitor@example.com", phone: "966501234567", note: "ملاحظة" };
const hourMs = 60 * 60 * 1000;
/** Each is an hour older than the one before; the last one is late. */
const messages = [
  { name: "نورة" },
  { name: "سعد" },
  { name: "ليلى" },
  { name: Array.from({ length: 22 }, () => "علي").join(" ") },
  { name: "مزعج", spam_signs: ["haste", "links"] },
  { name: "محذوف", deleted_at: new Date() },
  { name: "متأخر", created_at: new Date(Date.now() - 30 * 24 * hourMs) },
].map((message, index) => ({
  ...row,
  message: `رسالة ${message.name}`,
  created_at: new Date(Date.now() - index * hourMs),
  ...message,
}));

export const test = base.extend<Fixtures>({
  open: async ({ browser, owned }, use) => {
    const { site, sql } = owned;
    await use(async ({ path, reader, change }, options, within = browser) => {
      if (reader === "owner") {
        await deleteMessages(site.dataDir);
        await sql("delete from private.inbox_visits");
        await Promise.all(messages.map((message) => storeMessages(site.dataDir, [message])));
      }
      const context = await within.newContext({ baseURL: site.url, ...options });
      if (reader === "owner") {
        await context.addCookies(cookiesOf(owned));
      } else if (reader === "holder") {
        const holder = await signedUp(site);
        await setUpFactor(holder, holder.credentials.password);
        await context.addCookies(cookiesOf({ site, owner: holder }));
      }
      const page = await context.newPage();
      await page.goto(path);
      await change?.(page, owned);
      return page;
    });
  },
});

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Expects axe to report nothing, and the page to fit. Axe judges no colours, which takes it most of its time: the
 * contrast of both schemes is computed (tests/contrast.test.ts).
 */
export async function expectLooks(page: Page): Promise<void> {
  // The page is one frame, so axe needs no page of its own to put the frames' findings together.
  const axe = new AxeBuilder({ page }).setLegacyMode().withTags(tags);
  const { violations } = await axe.disableRules("color-contrast").analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)).toEqual([]);
  // While a required field is empty, a form is invalid by itself, and Firefox has that spoken.
  await expect(page.locator("form:has(:required):not([role=none])")).toHaveCount(0);
  await expectFit(page);
}

/** How far a page scrolls sideways. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Expects a page that does not scroll sideways in a window of 320 px, nor of a tablet's width. */
export async function expectFit(page: Page): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const width of [320, 768]) {
    await page.setViewportSize({ ...size, width });
    expect(await overhang(page), `at ${width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(size);
}
