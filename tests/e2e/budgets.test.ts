import type { Page } from "playwright/test";
import { weigh, type Weight } from "#tests/bench/wire.ts";
import { explained, isLarge, pictured } from "#tests/support/browser/content.ts";
import { beOwner, expect, test } from "#tests/support/browser/test.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import { ask } from "#tests/support/visitor.ts";

// The initial window of TCP: ten packets (RFC 6928).
const firstFlight = 14_600;

/**
 * Weighs a page, in which nothing may move while it loads. A busy browser may paint what it has parsed so far,
 * which then moves; what the page itself moves, it moves at each load.
 */
async function weighStill(page: Page, url: string, touch?: () => Promise<void>): Promise<Weight> {
  let weight!: Weight;
  await expect.poll(async () => (weight = await weigh(page, url, touch)).shift).toBe(0);
  return weight;
}

test("/ is one response of at most 12.5 kB, headers included, before its pictures, and nothing moves", async ({
  page,
  site,
}) => {
  test.skip(isLarge, "The budget is that of less content.");
  const pictures = page.getByRole("region", { name: "أعمالي" }).locator("img");
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    const { bytes, requests, scripts } = await weighStill(page, `${site.url}/`, async () => {
      await expect(pictures).toHaveCount(pictured.length);
      for (const picture of await pictures.all()) {
        await picture.scrollIntoViewIfNeeded();
        await expect(picture).not.toHaveJSProperty("naturalWidth", 0);
        const { width: wide = 0, height = 0 } = (await picture.boundingBox()) ?? {};
        expect(Math.abs(wide / height - 0.6)).toBeLessThan(0.01);
      }
    });
    expect({ requests, scripts }).toEqual({ requests: 1, scripts: 0 });
    expect(bytes).toBeLessThanOrEqual(12_500);
  }
  if (explained.length > 0) {
    await page.getByRole("checkbox", { name: "لماذا صمّمتها هكذا؟" }).check();
    await expect(page.getByText(/^ليس في هذه الصفحة أي سكربت/)).toBeVisible();
  }
});

test("a page that does not exist is small, /auth has at most nine scripts, and no page moves", async ({
  page,
  site,
}) => {
  const missing = await weighStill(page, `${site.url}/nothing-here`);
  expect(missing).toMatchObject({ requests: 2, scripts: 0 });
  expect(missing.bytes).toBeLessThan(firstFlight);
  const auth = await weighStill(page, `${site.url}/auth`);
  expect(auth.scripts).toBeLessThanOrEqual(9);
  expect(auth.scriptBytes).toBeLessThanOrEqual(105_000);
});

// 16 kB with the styles are wanted; they are loaded once.
test("a board of 50 messages is at most 15 kB, 9.5 kB of styles that the browser keeps and 120 kB of ten scripts", async ({
  page,
  owned,
}) => {
  const { site } = owned;
  const text =
    "أبحث عن مصمم لصفحة حملة رمضان، والمطلوب صفحة سريعة على الجوال. عندنا هوية جاهزة وصور، ونحتاج من يرتّب المحتوى ويكتب العناوين قبل نهاية الشهر. متى تستطيع البدء، وكم التكلفة؟";
  const words = text.split(" ");
  await deleteMessages(site.dataDir);
  // Of 12 to 24 words, each with another order.
  const messages = Array.from({ length: 50 }, (_, n) => ({
    name: `نورة السالم ${n}`,
    email: `noura-${n}@example.com`,
    message: [...words.slice(n % words.length), ...words].slice(0, 12 + (n % 13)).join(" "),
  }));
  await storeMessages(site.dataDir, messages);
  await beOwner(page, owned);
  const { scripts, documentBytes, styleBytes, scriptBytes } = await weighStill(
    page,
    `${site.url}/admin`,
  );
  await expect(page.getByRole("article")).toHaveCount(50);
  expect(scripts).toBeLessThanOrEqual(10);
  expect(documentBytes).toBeLessThanOrEqual(15_000);
  expect(styleBytes).toBeGreaterThan(5000);
  expect(styleBytes).toBeLessThanOrEqual(9500);
  expect(scriptBytes).toBeLessThanOrEqual(120_000);
  const sheet = await page.locator("link[rel=stylesheet]").getAttribute("href");
  const { headers } = await ask(site, "GET", sheet ?? "");
  expect(headers["cache-control"]).toContain("immutable");
});
