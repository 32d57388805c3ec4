import { card, openBox, toggle, useBoard } from "#tests/support/browser/board.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const board = useBoard();

const long = Array.from({ length: 22 }, () => "علي").join(" ");

test("on a phone the tab of the current box is in view", async () => {
  await board.store(["نورة"]);
  const page = await board.open({
    viewport: { width: 360, height: 740 },
  });
  const boxes = page.getByRole("navigation", { name: "الصناديق" });
  for (const name of ["بانتظار ردك", "المؤرشفة", "المزعجة", "سلة المهملات", "الرسائل"]) {
    await openBox(page, name);
    const current = boxes.locator("[aria-current]");
    await expect(current).toContainText(name);
    await expect(current).toBeInViewport({ ratio: 1 });
  }
});

test("opening a message moves nothing in two panes, and nothing above it on a phone", async () => {
  await board.store(["نورة", "سعد", "ريم"]);
  const page = await board.open();
  for (const [width, fixed] of [
    [360, 2],
    [1440, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const places = () =>
      page
        .locator("article header")
        .evaluateAll((headers) => headers.map((header) => header.getBoundingClientRect().top));
    const before = await places();
    await toggle(card(page, "سعد"));
    await expect(card(page, "سعد").getByLabel("ملاحظة لك وحدك")).toBeVisible();
    expect((await places()).slice(0, fixed)).toEqual(before.slice(0, fixed));
    await toggle(card(page, "سعد"));
    expect(await places()).toEqual(before);
  }
});

test("a name of 22 words uses the full width of a phone @once", async () => {
  await board.store([long]);
  const page = await board.open({
    viewport: { width: 360, height: 740 },
  });
  const { height = 0 } = (await page.getByRole("article").boundingBox()) ?? {};
  expect(height).toBeLessThan(330);
});

test("at 400 % zoom the page scrolls in one direction only, and no bar covers it @once", async () => {
  await board.store(["نورة", "سعد", "ريم"]);
  const page = await board.open({
    viewport: { width: 320, height: 180 },
  });
  const covered = () =>
    page.evaluate(() => {
      const rows = Array.from({ length: innerHeight / 4 }, (_, row) => row * 4);
      return rows.filter((y) => {
        const found = document.elementFromPoint(innerWidth / 2, y);
        return [found, found?.closest(".sort-bar, [role=status]")].some(
          (part) => part && ["fixed", "sticky"].includes(getComputedStyle(part).position),
        );
      }).length;
    });
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await wide()).toBeLessThanOrEqual(0);
  const saad = card(page, "سعد");
  await page.locator(".select-mode").click();
  await saad.getByRole("checkbox").check();
  expect(await covered()).toBe(0);
  await saad.getByRole("link", { name: "إلى إجراءات المحددة" }).click();
  const answer = page.locator("#sort").getByRole("button", { name: "تم الرد" });
  await expect(answer).toBeInViewport({ ratio: 1 });
  await answer.click();
  await expect(page.getByText("تم الرد على رسالة واحدة")).toBeVisible();
  await page.mouse.wheel(0, 600);
  expect(await covered()).toBe(0);
  expect(await wide()).toBeLessThanOrEqual(0);
});

const now = new Date();
const states: Record<string, object> = {
  all: {},
  archived: { archived_at: now },
  spam: { spam_signs: ["haste", "links"] },
  trash: { deleted_at: now },
};

test("text that the reader doubled fits a phone @once", async ({ playwright, launchOptions }) => {
  const args = [...(launchOptions.args ?? []), "--blink-settings=defaultFontSize=32"];
  const browser = await playwright.chromium.launch({ ...launchOptions, args });
  for (const [box, state] of Object.entries(states)) {
    await board.store(["نورة", long], { note: "ملاحظة", phone: "966501234567", ...state });
    const page = await board.open(
      { viewport: { width: 360, height: 740 } },
      `/admin?box=${box}`,
      browser,
    );
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(await wide(), box).toBe(360);
    await toggle(card(page, "نورة"));
    expect.soft(await wide(), `${box}, open`).toBe(360);
    await page.getByText("تحديد", { exact: true }).click();
    await page.getByRole("checkbox", { name: "تحديد رسالة نورة" }).check();
    expect.soft(await wide(), `${box}, chosen`).toBe(360);
  }
  await browser.close();
});
