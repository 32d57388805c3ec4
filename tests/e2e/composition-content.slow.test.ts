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

test("the button is in view beside the works, whatever the cover has above it", async ({
  page,
}) => {
  const name = "عبد الرحمن بن عبد العزيز بن محمد الخالدي";
  const works = contents.most.works.slice(0, 7);
  const long = "abdulrahman-bin-abdulaziz-alkhalidi";
  const linkedin = { icon: "linkedin" as const, link: `https://www.linkedin.com/in/${long}` };
  const channels = contents.most.channels.map((channel) => ({ ...channel, ...linkedin }));
  for (const count of [5, 12]) {
    const site = await project.start({ name, works, channels: channels.slice(0, count) });
    try {
      await page.goto(site.url);
      const start = page.getByRole("link", { name: "Start Your Project Today" });
      for (const [width, height] of laptops) {
        await page.setViewportSize({ width, height });
        await expect(start, `${count} at ${width}`).toBeInViewport({ ratio: 1 });
      }
      await page.getByRole("checkbox", { name: "لماذا صمّمتها هكذا؟" }).check();
      await expect(start).toBeInViewport({ ratio: 1 });
    } finally {
      await site.stop();
    }
  }
});

const laptops = [
  [1280, 720],
  [1280, 800],
  [1366, 768],
  [1440, 900],
] as const;

const isHidden = ({ hidden }: { hidden?: boolean | undefined }) => hidden === true;
const nameOf = (entry: { name: string } | { title: string }) =>
  "name" in entry ? entry.name : entry.title;
