import type { Locator, Page } from "playwright/test";
import { owner } from "#app/content/owner.ts";
import { weigh } from "#tests/bench/wire.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { type Content, ownedProject } from "#tests/support/owned-site.ts";
import { contents } from "#tests/support/owner-lists.ts";

const widths = [320, 360, 640, 768, 1023, 1024, 1440, 1920, 2560];

// One worker, because the first start builds the pages for all.
test.describe.configure({ mode: "default" });
let project: Awaited<ReturnType<typeof ownedProject>>;
test.beforeAll(async () => {
  project = await ownedProject();
});
test.afterAll(() => project.remove());

test("the shipped card is centred, with its cover above or beside the lists and the form", async ({
  page,
}) => {
  await page.goto("/");
  await expectComposition(page);
});

test("the shipped page does not scroll in a window that it fits into", async ({ page }) => {
  await page.goto("/");
  for (const width of widths) {
    await page.setViewportSize({ width, height: 4000 });
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(4000);
  }
});

for (const [name, content] of Object.entries(contents)) {
  const { channels, works, services } = content;
  test(`the card keeps its composition with other content: ${name}`, async ({ page }) => {
    const site = await project.start(content);
    try {
      await page.goto(site.url);
      const names = [...channels, ...works, ...services]
        .filter((entry) => !isHidden(entry))
        .map(nameOf);
      const entries = page.getByRole("article").getByRole("listitem");
      expect(await entries.allInnerTexts()).toEqual(
        names.map((text) => expect.stringContaining(text)),
      );
      const drawn = await page
        .getByRole("list", { name: "قنوات التواصل" })
        .locator("path")
        .evaluateAll((icons) => icons.map((icon) => (icon as SVGPathElement).getBBox().width));
      expect(Math.min(...drawn)).toBeGreaterThan(10);
      const html = await page.content();
      for (const hidden of [...channels, ...works, ...services].filter(isHidden)) {
        expect(html).not.toContain(nameOf(hidden));
      }
      await expectComposition(page, content);
      if (works.some(({ why }) => why)) {
        await page.getByRole("checkbox", { name: "لماذا صمّمتها هكذا؟" }).check();
        await expectComposition(page, content);
        // Said only where it is true.
        const claim = page.getByText(/^هذه الصفحة دون ١٢ كيلوبايت/);
        const isLight = await claim.isVisible();
        const { bytes } = await weigh(page, site.url);
        expect(isLight).toBe(bytes < 12_000);
      }
    } finally {
      await site.stop();
    }
  });
}

test("a long name and five channels leave the button in view beside the works", async ({
  page,
}) => {
  const name = "عبد الرحمن بن عبد العزيز الخالدي";
  const { channels, works } = contents.most;
  const lists = { channels: channels.slice(0, 5), works: works.slice(0, 3) };
  const site = await project.start({ name, ...lists });
  try {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(site.url);
    const start = page.getByRole("link", { name: "Start Your Project Today" });
    await expect(start).toBeInViewport({ ratio: 1 });
    await page.getByRole("checkbox", { name: "لماذا صمّمتها هكذا؟" }).check();
    await expect(start).toBeInViewport({ ratio: 1 });
  } finally {
    await site.stop();
  }
});

const isHidden = ({ hidden }: { hidden?: boolean | undefined }) => hidden === true;
const nameOf = (entry: { name: string } | { title: string }) =>
  "name" in entry ? entry.name : entry.title;

async function expectComposition(page: Page, { name = owner.name }: Content = {}) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
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
      return range.getClientRects().length > 1;
    })
    .map(({ textContent }) => textContent);
}

async function box(part: Locator) {
  const { x, y, width, height } = (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { left: x, right: x + width, top: y, bottom: y + height };
}
