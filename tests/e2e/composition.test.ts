import type { Locator, Page } from "playwright/test";
import { owner } from "#app/content/owner.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { ownedProject } from "#tests/support/owned-site.ts";
import { contents } from "#tests/support/owner-lists.ts";

const widths = [320, 360, 768, 1024, 1280, 1440, 1920];

// One worker, because the first start builds the pages for all.
test.describe.configure({ mode: "default" });
let project: Awaited<ReturnType<typeof ownedProject>>;
test.beforeAll(async () => {
  project = await ownedProject();
});
test.afterAll(() => project.remove());

test("the shipped card is centred, with the form below the lists", async ({ page }) => {
  await page.goto("/");
  await expectComposition(page);
});

for (const [name, { channels, works, services }] of Object.entries(contents)) {
  test(`the card keeps its composition with other content: ${name}`, async ({ page }) => {
    const site = await project.start({ channels, works, services });
    try {
      await page.goto(site.url);
      const names = [...channels, ...works, ...services]
        .filter((entry) => !isHidden(entry))
        .map(nameOf);
      const entries = page.getByRole("article").getByRole("listitem");
      expect(await entries.allInnerTexts()).toEqual(
        names.map((text) => expect.stringContaining(text)),
      );
      const html = await page.content();
      for (const hidden of [...channels, ...works, ...services].filter(isHidden)) {
        expect(html).not.toContain(nameOf(hidden));
      }
      await expectComposition(page);
    } finally {
      await site.stop();
    }
  });
}

const isHidden = ({ hidden }: { hidden?: boolean | undefined }) => hidden === true;
const nameOf = (entry: { name: string } | { title: string }) =>
  "name" in entry ? entry.name : entry.title;

async function expectComposition(page: Page) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await page.evaluate(overflowing)).toEqual([]);
    const card = await box(page.getByRole("article"));
    const cardWidth = card.right - card.left;
    expect(cardWidth).toBeGreaterThan(Math.min(width, 1400) / 2);
    for (const part of [page.getByRole("heading", { level: 1 }), page.getByText(owner.title)]) {
      const { left, right } = await box(part);
      expect(Math.abs(left + right - width)).toBeLessThan(2);
    }
    expect(Math.abs(card.left + card.right - width)).toBeLessThan(2);
    const start = await box(page.getByRole("link", { name: "Start Your Project Today" }));
    expect(start.right - start.left).toBeGreaterThan(cardWidth * 0.85);

    const lists = await box(page.getByRole("list", { name: "قنوات التواصل" }).locator(".."));
    const form = await box(page.getByRole("region", { name: "راسلني" }));
    expect(form.right - form.left).toBeGreaterThan(cardWidth * 0.85);
    expect(form.top).toBeGreaterThan(lists.bottom - 1);
  }
}

/** Evaluated in the page: the texts that stick out of their buttons. */
function overflowing() {
  const buttons = [...document.querySelectorAll<HTMLElement>("article li > *")];
  return buttons
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ innerText }) => innerText);
}

async function box(part: Locator) {
  const { x, y, width, height } = (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { left: x, right: x + width, top: y, bottom: y + height };
}
