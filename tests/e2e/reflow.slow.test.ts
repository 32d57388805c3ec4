import {
  bar,
  card,
  openBox,
  openMessage,
  pane,
  select,
  useBoard,
} from "#tests/support/browser/board.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";
import { storeMessages } from "#tests/support/messages.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const board = useBoard();

const now = new Date();
const long = Array.from({ length: 22 }, () => "علي").join(" ");

test("the names of the boxes are whole at any width", async () => {
  await board.store(["نورة"]);
  const page = await board.open();
  const boxes = page.getByRole("navigation", { name: "الصناديق" });
  for (const width of [320, 360, 640, 1024, 1280, 1344, 2560]) {
    await page.setViewportSize({ width, height: 740 });
    for (const name of ["بانتظار ردك", "المؤرشفة", "المزعجة", "المهملات", "الرسائل"]) {
      await openBox(page, name);
      const current = boxes.locator("[aria-current]");
      await expect(current).toContainText(name);
      await expect(current).toBeInViewport({ ratio: 1 });
      const cut = await boxes
        .getByRole("link")
        .evaluateAll((links) =>
          links
            .filter((link) => link.scrollWidth > link.clientWidth)
            .map((link) => link.textContent),
        );
      expect([width, name, cut]).toEqual([width, name, []]);
    }
  }
});

test("the numbers of a million messages fit any window @once", async () => {
  await board.store(["نورة"]);
  const sender = { name: "سعد", email: "saad@example.com" };
  for (const state of ["answered_at", "archived_at", "spam_at", "deleted_at"]) {
    const signs = state === "spam_at" ? ["links"] : null;
    const row = { ...sender, message: state, [state]: now, spam_signs: signs };
    await storeMessages(board.site.dataDir, [row]);
  }
  const change = (from: string, to: string) =>
    withSuperuser(board.site.dataDir, (sql) =>
      sql.script(`do $$ begin
        execute replace(pg_get_functiondef('public.inbox_state'::regproc), '${from}', '${to}');
      end $$`),
    );
  await change("(select count(*)", "400000 + (select count(*)");
  try {
    const page = await board.open();
    await expect(liveBadge(page)).toBeVisible();
    for (const width of [320, 360, 640, 1024, 1344]) {
      await page.setViewportSize({ width, height: 740 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  } finally {
    await change("400000 + (select count(*)", "(select count(*)");
  }
});

test("a name of 22 words takes one line of a row, and is whole when it is open @once", async () => {
  await board.store([long]);
  const page = await board.open({ viewport: { width: 360, height: 740 } });
  const { height = 0 } = (await page.getByRole("article").boundingBox()) ?? {};
  // With two lines of text.
  expect(height).toBeLessThan(112);
  await openMessage(page, long);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
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
        const isOver = (part: Element | null): boolean =>
          part !== null &&
          (["fixed", "sticky"].includes(getComputedStyle(part).position) ||
            isOver(part.parentElement));
        return isOver(document.elementFromPoint(innerWidth / 2, y));
      }).length;
    });
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await wide()).toBeLessThanOrEqual(0);
  await select(page, "سعد");
  expect(await covered()).toBe(0);
  await card(page, "سعد").getByRole("link", { name: "إلى إجراءات المحددة" }).click();
  const answer = bar(page).getByRole("button", { name: "تم الرد" });
  await expect(answer).toBeInViewport({ ratio: 1 });
  await answer.click();
  await expect(page.getByText("تم الرد على رسالة واحدة")).toBeVisible();
  await page.mouse.wheel(0, 600);
  expect(await covered()).toBe(0);
  expect(await wide()).toBeLessThanOrEqual(0);
});

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
    await openMessage(page, "نورة");
    expect.soft(await wide(), `${box}, open`).toBe(360);
    const buttons = pane(page).getByRole("group", { name: "إجراءات الرسالة" });
    expect.soft(await buttons.evaluate(textsOutside), `${box}, open`).toEqual([]);
    await page.goto(`/admin?box=${box}`);
    await select(page, "نورة");
    expect.soft(await wide(), `${box}, chosen`).toBe(360);
  }
  await board.store(["نورة", long], { phone: "966501234567" });
  const viewport = { width: 360, height: 740 };
  const page = await board.open({ viewport }, "/admin", browser);
  expect.soft(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await browser.close();
});

test("the not-found screen fits a small screen with text twice as large", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/nowhere");
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

/** The texts of links and buttons that run out of them. */
const textsOutside = (part: Element) =>
  [...part.querySelectorAll("a, button")].flatMap((control) => {
    const { left, right } = control.getBoundingClientRect();
    const text = document.createRange();
    text.selectNodeContents(control);
    const lines = [...text.getClientRects()];
    return lines.some((line) => line.left < left || line.right > right) ? control.textContent : [];
  });
