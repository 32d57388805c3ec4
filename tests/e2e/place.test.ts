import type { Locator, Page } from "playwright/test";
import { card, toggle, useBoard } from "#tests/support/browser/board.ts";
import { expect, newMessage, openLive, postMessages, test } from "#tests/support/browser/test.ts";

const board = useBoard();
const desktop = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

const names = (count: number) => Array.from({ length: count }, (_, index) => `رسالة ${index}`);

async function open(count: number, viewport: typeof phone): Promise<Page> {
  await board.store(names(count));
  const page = await board.open({ viewport }, "about:blank");
  await page.clock.install();
  await openLive(page);
  // No toast leaves while a slow machine arrives at the next step.
  await page.clock.pauseAt(Date.now() + 10_000);
  return page;
}

const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;

/** Browsers scroll by whole pixels. */
const expectAt = async (part: Locator, top: number) =>
  expect(Math.abs((await topOf(part)) - top)).toBeLessThanOrEqual(1);

/** A message arrives at the top of the list. */
async function arrive(page: Page, name: string) {
  const text = { ...newMessage(), name };
  expect(await postMessages(page.request, board.site, [text])).toEqual([302]);
  await expect(card(page, name)).toHaveCount(1);
  await expect(page.getByRole("article").first()).toContainText(name);
  await page.clock.runFor(100);
}

for (const [viewport, count] of [
  [desktop, 2],
  [phone, 30],
] as const) {
  test(`a note that is being typed stays in place, first of ${count} cards, at ${viewport.width} px`, async () => {
    const page = await open(count, viewport);
    const first = card(page, "رسالة 0");
    await toggle(first);
    const note = first.getByLabel("ملاحظة لك وحدك");
    await note.fill("تتصل");
    const top = await topOf(note);
    for (const name of ["سارة", "هدى", "ريم"]) {
      await arrive(page, name);
      await note.pressSequentially(" غدًا");
      await expectAt(note, top);
    }
    await expect(note).toBeFocused();
    await expect(page.locator(".toasts")).toContainText("ريم");
    expect(await coveredBy(note)).toEqual([]);
  });
}

test("messages further down stay in place", async () => {
  const page = await open(30, phone);
  const read = card(page, "رسالة 9");
  await read.scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
  const top = await topOf(read);
  await arrive(page, "سارة");
  await arrive(page, "هدى");
  await expectAt(read, top);
});

for (const [edge, bottom] of [
  // Above the actions, which stay at the edge.
  ["lower", 620],
  ["upper", 140],
] as const) {
  test(`a toast does not cover a note that is typed at the ${edge} edge of a phone @layout`, async () => {
    const page = await open(30, phone);
    const read = card(page, "رسالة 4");
    await toggle(read);
    const note = read.getByLabel("ملاحظة لك وحدك");
    await note.fill("تتصل");
    await note.evaluate((field, y) => {
      scrollBy(0, field.getBoundingClientRect().bottom - y);
    }, bottom);
    const top = await topOf(note);
    for (const name of ["سارة", "هدى", "ريم"]) {
      await arrive(page, name);
    }
    await expect(page.getByRole("status").filter({ hasText: "ريم" })).toBeInViewport({ ratio: 1 });
    await expectAt(note, top);
    expect(await coveredBy(note)).toEqual([]);
  });
}

test("a toast beside the selection bar covers no button in use @layout", async () => {
  const page = await open(30, phone);
  const read = card(page, "رسالة 5");
  await page.locator(".select-mode").click();
  await read.getByRole("checkbox").check();
  const button = read.getByRole("link", { name: "visitor-5@example.com" });
  await button.focus();
  await button.evaluate((element) => scrollBy(0, element.getBoundingClientRect().top - 500));
  await arrive(page, "سارة");
  const toast = page.locator(".toasts").getByRole("status").filter({ hasText: "سارة" });
  await expect(toast).toBeInViewport({ ratio: 1 });
  expect((await page.locator(".toasts").boundingBox())?.height).toBeLessThan(200);
  expect(await coveredBy(button)).toEqual([]);
});

test("moving through the selection bar by keyboard scrolls nothing", async () => {
  const page = await open(30, phone);
  const read = card(page, "رسالة 5");
  await page.locator(".select-mode").click();
  await read.getByRole("checkbox").check();
  await read.getByRole("link", { name: "إلى إجراءات المحددة" }).focus();
  const scrolled = () => page.evaluate(() => scrollY);
  await page.locator("#sort").getByRole("button").first().focus();
  const before = await scrolled();
  for (const key of ["Tab", "Tab", "Shift+Tab"]) {
    await page.keyboard.press(key);
    expect(await scrolled()).toBe(before);
  }
});

test("a click outside of the open search takes effect", async () => {
  const page = await open(3, phone);
  await page.getByRole("searchbox").click();
  const { x = 0, y = 0 } = (await card(page, "رسالة 1").boundingBox()) ?? {};
  await page.mouse.click(x + 20, y + 20);
  await expect(card(page, "رسالة 1").getByLabel("ملاحظة لك وحدك")).toBeVisible();
});

test("a new message is in view at the top of the page", async () => {
  const page = await open(30, phone);
  await arrive(page, "سارة");
  await expect(card(page, "سارة")).toBeInViewport({ ratio: 1 });
});

test("while an action is being sent, the list stays where it is", async () => {
  const page = await open(3, phone);
  const gate = Promise.withResolvers<void>();
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.route("**/admin.data*", async (route) => {
    await gate.promise;
    await route.continue();
  });
  const first = card(page, "رسالة 0");
  const top = await topOf(first);
  await first.getByRole("button", { name: "تم الرد" }).click();
  await sent;
  await page.clock.runFor(300);
  await expectAt(first, top);
  gate.resolve();
  await expect(first.locator("header").getByText("تم الرد")).toBeVisible();
});

/** The elements drawn over a field, at its corners and in its middle. */
function coveredBy(field: Locator): Promise<string[]> {
  return field.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const points = [left + 4, (left + right) / 2, right - 4].flatMap((x) =>
      [top + 4, (top + bottom) / 2, bottom - 4].map((y) => document.elementFromPoint(x, y)),
    );
    return points.filter((found) => found !== element).map((found) => String(found?.className));
  });
}
