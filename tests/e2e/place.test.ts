import type { Locator, Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import {
  bar,
  card,
  noteIn,
  openMessage,
  pane,
  rowLink,
  select,
  useBoard,
} from "#tests/support/browser/board.ts";
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
  // That of the claim has left.
  await page.clock.runFor(6000);
  return page;
}

const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;

/** Browsers scroll by whole pixels. */
const expectAt = async (part: Locator, top: number) =>
  expect.poll(async () => Math.abs((await topOf(part)) - top)).toBeLessThanOrEqual(1);

/** A message arrives at the top of the list. */
async function arrive(page: Page, name: string) {
  const text = { ...newMessage(), name };
  expect(await postMessages(page.request, board.site, [text])).toEqual([302]);
  await expect(notice(page, name)).toHaveCount(1);
  await page.clock.runFor(100);
}

for (const viewport of [desktop, phone]) {
  test(`messages further down stay in place, at ${viewport.width} px`, async () => {
    const page = await open(30, viewport);
    const read = card(page, "رسالة 15");
    await read.scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
    const top = await topOf(read);
    await arrive(page, "سارة");
    await arrive(page, "هدى");
    await expect(card(page, "هدى")).toHaveCount(1);
    await expectAt(read, top);
  });

  test(`the list is where it was after a message was read, at ${viewport.width} px`, async () => {
    const page = await open(30, viewport);
    const read = card(page, "رسالة 15");
    await read.scrollIntoViewIfNeeded();
    const top = await topOf(read);
    await rowLink(page, "رسالة 15").click();
    await expect(noteIn(page)).toBeVisible();
    if (viewport === desktop) {
      await expectAt(read, top);
    }
    await page.goBack();
    await expect(noteIn(page)).toHaveCount(0);
    await expectAt(read, top);
    await rowLink(page, "رسالة 15").click();
    await pane(page)
      .getByRole("link", { name: viewport === phone ? "الرسائل" : "إغلاق" })
      .click();
    await expect(noteIn(page)).toHaveCount(0);
    await expectAt(read, top);
  });

  test(`a note that is being typed stays in place, at ${viewport.width} px`, async () => {
    const page = await open(30, viewport);
    await openMessage(page, "رسالة 4");
    const note = noteIn(page);
    await note.fill("تتصل");
    const top = await topOf(note);
    for (const name of ["سارة", "هدى", "ريم"]) {
      await arrive(page, name);
      await note.pressSequentially(" غدًا");
      await expectAt(note, top);
    }
    await expect(note).toBeFocused();
    expect(await coveredBy(note)).toEqual([]);
  });
}

test("a toast beside the selection bar covers no link in use @layout", async () => {
  const page = await open(30, phone);
  await select(page, "رسالة 5");
  const link = rowLink(page, "رسالة 12");
  await link.focus();
  await arrive(page, "سارة");
  const toast = notice(page, "سارة");
  await expect(toast).toBeInViewport({ ratio: 1 });
  // It rises to its place.
  const end = async () => (await topOf(toast)) + ((await toast.boundingBox())?.height ?? 0);
  await expect.poll(end).toBeLessThanOrEqual(await topOf(bar(page)));
});

test("moving through the selection bar by keyboard scrolls nothing", async () => {
  const page = await open(30, phone);
  await select(page, "رسالة 5");
  await page.evaluate(() => scrollTo(0, 300));
  const scrolled = () => page.evaluate(() => scrollY);
  await bar(page).getByRole("button").first().focus();
  const before = await scrolled();
  for (const key of ["Tab", "Tab", "Shift+Tab"]) {
    await page.keyboard.press(key);
    expect(await scrolled()).toBe(before);
  }
});

test("a new message is in view at the top of the page", async () => {
  const page = await open(30, phone);
  await arrive(page, "سارة");
  await expect(card(page, "سارة")).toBeInViewport({ ratio: 1 });
});

test("while an action is being sent, the list stays where it is", async () => {
  const page = await open(3, desktop);
  await openMessage(page, "رسالة 0");
  const gate = Promise.withResolvers<void>();
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.route("**/admin.data*", async (route) => {
    await gate.promise;
    await route.continue();
  });
  const first = card(page, "رسالة 0");
  const top = await topOf(first);
  await page.keyboard.press("d");
  await sent;
  await page.clock.runFor(300);
  await expectAt(first, top);
  gate.resolve();
  await expect(first.getByText("تم الرد")).toBeVisible();
  await expectAt(first, top);
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
