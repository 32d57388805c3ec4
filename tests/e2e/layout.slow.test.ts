import type { Locator, Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import {
  action,
  bar,
  card,
  openBox,
  openMessage,
  pane,
  select,
  useBoard,
} from "#tests/support/browser/board.ts";
import { overhang } from "#tests/support/browser/looks.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";
import { storeMessages } from "#tests/support/messages.ts";

// Where things are, and what covers them, at the widths and zooms of the design.

const board = useBoard();

const long = Array.from({ length: 22 }, () => "علي").join(" ");
const actions = (page: Page) => pane(page).getByRole("group", { name: "إجراءات الرسالة" });

const arrive = (name: string) =>
  storeMessages(board.site.dataDir, [{ name, email: "a@example.com", message: "سلام" }]);

/** In how many lines these controls stand. */
const linesOf = async (controls: Locator) =>
  new Set(await controls.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom)))
    .size;

/** Evaluated in the page: what covers an element at these shares of its height, empty if nothing does. */
function coverOf(element: Element, shares: number[]) {
  const { left, width, top, height } = element.getBoundingClientRect();
  const hits = shares.map((share) =>
    document.elementFromPoint(left + width / 2, top + height * share),
  );
  const cover = hits.find((hit) => !element.contains(hit));
  return cover === undefined ? "" : (cover?.outerHTML ?? "nothing").slice(0, 100);
}

/** The top of the list, and how many messages are seen at once. */
const sizes: [width: number, height: number, top: number, rows: number][] = [
  [360, 780, 201, 4],
  [1024, 768, 173, 4],
  [1440, 900, 117, 6],
];

for (const [width, height, top, rows] of sizes) {
  test(`${width} x ${height} shows ${rows} messages at once, and one row of actions`, async () => {
    const message = "أبحث عن مصمم لصفحة حملة رمضان، والمطلوب صفحة سريعة على الجوال. ".repeat(3);
    await board.store([long, ...Array.from({ length: 19 }, (_, at) => `نورة السالم ${at}`)], {
      message,
    });
    const page = await board.open({ viewport: { width, height } });
    const boxes = await page
      .getByRole("article")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
    expect(boxes[0]?.top).toBeLessThanOrEqual(top);
    expect(boxes.filter(({ bottom }) => bottom <= height).length).toBeGreaterThanOrEqual(rows);
    // A name of 22 words takes one line.
    expect(boxes[0]?.height).toBe(boxes[1]?.height);
    await select(page, "نورة السالم 0", "نورة السالم 12");
    await expect(bar(page)).toBeInViewport({ ratio: 1 });
    expect(await linesOf(bar(page).getByRole("button"))).toBe(1);
    await page.goto("/admin");
    await openMessage(page, "نورة السالم 0");
    expect(await linesOf(actions(page).getByRole("button"))).toBe(1);
    await expect(actions(page)).toBeInViewport({ ratio: 1 });
    await page.goto("/admin");
    await openMessage(page, long);
    expect(await overhang(page)).toBe(0);
  });
}

test("the names of the boxes are whole at any width", async () => {
  await board.store(["نورة"]);
  const page = await board.open();
  const boxes = page.getByRole("navigation", { name: "الصناديق" });
  for (const name of ["بانتظار ردك", "المهملات", "الرسائل"]) {
    await openBox(page, name);
    for (const width of [320, 1024, 1344]) {
      await page.setViewportSize({ width, height: 740 });
      await expect(boxes.locator("[aria-current]")).toContainText(name);
      await expect(boxes.locator("[aria-current]")).toBeInViewport({ ratio: 1 });
      const cut = await boxes
        .getByRole("link")
        .evaluateAll((links) =>
          links.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
        );
      expect([width, name, cut]).toEqual([width, name, []]);
    }
  }
});

test("at 400 % zoom the page scrolls in one direction only, and no bar covers it", async () => {
  await board.store(["نورة", "سعد", "ريم"]);
  const page = await board.open({ viewport: { width: 320, height: 180 } });
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
  await select(page, "سعد");
  expect(await covered()).toBe(0);
  await card(page, "سعد").getByRole("link", { name: "إلى إجراءات المحددة" }).click();
  const answer = bar(page).getByRole("button", { name: "تم الرد" });
  await expect(answer).toBeInViewport({ ratio: 1 });
  await answer.click();
  await expect(page.getByText("تم الرد على رسالة واحدة")).toBeVisible();
  await page.mouse.wheel(0, 600);
  expect(await covered()).toBe(0);
  expect(await overhang(page)).toBeLessThanOrEqual(0);
});

test("on a phone nothing covers an action or what has the focus", async () => {
  await board.store(["نورة", "سعد", "ليلى"], { phone: "966501234567" });
  const page = await board.open({ viewport: { width: 360, height: 740 } });
  await expect(liveBadge(page)).toBeVisible();
  await openMessage(page, "ليلى");
  const inPane = () => page.evaluate(() => document.activeElement?.closest("aside") !== null);
  for (await page.keyboard.press("Tab"); await inPane(); await page.keyboard.press("Tab")) {
    expect(await page.locator(":focus").evaluate(coverOf, [0.25, 0.75])).toBe("");
  }
  const expectFree = async () => {
    for (const button of await actions(page).getByRole("button").all()) {
      await button.scrollIntoViewIfNeeded();
      expect(await button.evaluate(coverOf, [0.5])).toBe("");
    }
  };
  const done = notice(page, "تم الرد على رسالة واحدة");
  await action(page, "تم الرد").press("Enter");
  await expect(done).toBeVisible();
  await expectFree();
  // A toast rises above the notice.
  await arrive("ريم");
  const toast = notice(page, "رسالة جديدة!");
  await expect(toast).toBeVisible();
  await expectFree();
  const end = async () => {
    const { y = 0, height = 0 } = (await toast.boundingBox()) ?? {};
    return y + height;
  };
  await expect.poll(end).toBeLessThanOrEqual((await done.boundingBox())?.y ?? 0);
  // A refusal stands in the same place, a failed refresh above the message.
  await page.route(/\.data/, (route) => route.abort());
  await action(page, "أرشفة").press("Enter");
  await expect(notice(page, "انقطع الاتصال بالموقع")).toBeVisible();
  await expectFree();
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  const line = page.getByRole("status").filter({ hasText: "تعذّر تحديث اللوحة" });
  await expect(line).toBeInViewport({ ratio: 1 });
  const { y = 0, height = 100 } = (await line.boundingBox()) ?? {};
  const way = await page.getByRole("navigation", { name: "التنقل" }).boundingBox();
  expect(y + height).toBeLessThanOrEqual(way?.y ?? 0);
});

/** Evaluated in the page: where a letter of an element's text begins. */
const leftOf = (element: Element, letter: string) => {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
    const at = text.data.indexOf(letter);
    if (at >= 0) {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    }
  }
  throw new Error(`There is no ${letter}.`);
};

test("a long Latin name is cut at its end, and brackets after a Latin word stand where their line is read", async () => {
  const name = "Zoë Alexandra O'Brien-Łukasz of the Greater Riyadh Chamber of Commerce";
  await board.store([name], { message: "We need a page\nنحتاج PostgreSQL (نسخة 18)." });
  const page = await board.open({ viewport: { width: 1024, height: 900 } });
  const heading = card(page, name).getByRole("heading");
  const box = await heading.boundingBox();
  expect(await heading.evaluate(leftOf, "Z")).toBeGreaterThanOrEqual(box?.x ?? 0);
  await openMessage(page, name);
  for (const part of [card(page, name), pane(page)]) {
    const text = part.getByText("We need a page");
    expect(await text.evaluate(leftOf, "(")).toBeLessThan(await text.evaluate(leftOf, "P"));
  }
});
