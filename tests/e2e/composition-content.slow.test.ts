import { weigh } from "#tests/bench/wire.ts";
import { expectComposition } from "#tests/support/browser/composition.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { ownedProject } from "#tests/support/owned-site.ts";
import { contents } from "#tests/support/owner-lists.ts";

// One worker, because the first start builds the pages for all.
test.describe.configure({ mode: "default" });
let project: Awaited<ReturnType<typeof ownedProject>>;
test.beforeAll(async () => {
  project = await ownedProject();
});
test.afterAll(() => project.remove());

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
        if (await page.getByText(/^هذه الصفحة دون ١٢ كيلوبايت/).isVisible()) {
          expect((await weigh(page, site.url)).bytes).toBeLessThan(12_000);
        }
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
