import { weigh } from "#tests/bench/wire.ts";
import { cookiesOf } from "#tests/support/browser/board.ts";
import { explained, isLarge, pictured } from "#tests/support/browser/content.ts";
import { expect, signUp, test } from "#tests/support/browser/test.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import { ask } from "#tests/support/visitor.ts";

// The initial window of TCP: ten packets (RFC 6928).
const firstFlight = 14_600;

test("/ is one response of at most 11 kB, headers included, before its pictures, and nothing moves", async ({
  page,
  site,
}) => {
  test.skip(isLarge, "The budget is that of less content.");
  await page.route("**/pictures/*", (route) => route.abort());
  const { bytes, requests, scripts } = await weigh(page, `${site.url}/`);
  expect({ requests, scripts }).toEqual({ requests: 1, scripts: 0 });
  expect(bytes).toBeLessThanOrEqual(11_000);
  if (explained.length > 0) {
    await page.getByRole("checkbox", { name: "لماذا صمّمتها هكذا؟" }).check();
    await expect(page.getByText(/^هذه الصفحة دون ١٢ كيلوبايت/)).toBeVisible();
  }

  await page.unroute("**/pictures/*");
  const pictures = page.getByRole("region", { name: "أعمالي" }).locator("img");
  await expect(pictures).toHaveCount(pictured.length);
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    const { shift } = await weigh(page, `${site.url}/`, async () => {
      for (const picture of await pictures.all()) {
        await picture.scrollIntoViewIfNeeded();
        await expect(picture).not.toHaveJSProperty("naturalWidth", 0);
        const { width: wide = 0, height = 0 } = (await picture.boundingBox()) ?? {};
        expect(Math.abs(wide / height - 0.6)).toBeLessThan(0.01);
      }
    });
    expect(shift).toBe(0);
  }
});

test("a page that does not exist is small, without layout shifts", async ({ page, site }) => {
  const weight = await weigh(page, `${site.url}/nothing-here`);
  expect(weight.requests).toBe(2);
  expect(weight.bytes).toBeLessThan(firstFlight);
  expect(weight).toMatchObject({ scripts: 0, shift: 0 });
});

test("/auth has at most 110 kB of scripts, and nothing moves", async ({ page, site }) => {
  const weight = await weigh(page, `${site.url}/auth`);
  expect(weight.scriptBytes).toBeLessThanOrEqual(110_000);
  expect(weight.shift).toBe(0);
});

test("the inbox has at most 130 kB of scripts, and nothing moves", async ({ page, site }) => {
  await signUp(page);
  const weight = await weigh(page, `${site.url}/admin`);
  expect(weight.scriptBytes).toBeLessThanOrEqual(130_000);
  expect(weight.shift).toBe(0);
});

// 16 kB with the styles are wanted; they are loaded once.
test("a board of 50 messages is at most 15 kB, and 9 kB of styles that the browser keeps", async ({
  page,
  owned: { site, owner },
}) => {
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
  await page.context().addCookies(cookiesOf({ site, owner }));
  const { documentBytes, styleBytes } = await weigh(page, `${site.url}/admin`);
  await expect(page.getByRole("article")).toHaveCount(50);
  expect(documentBytes).toBeLessThanOrEqual(15_000);
  expect(styleBytes).toBeGreaterThan(5000);
  expect(styleBytes).toBeLessThanOrEqual(9000);
  const sheet = await page.locator("link[rel=stylesheet]").getAttribute("href");
  const { headers } = await ask(site, "GET", sheet ?? "");
  expect(headers["cache-control"]).toContain("immutable");
});
