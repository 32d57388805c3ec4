import type { Locator, Page } from "playwright/test";
import {
  action,
  bar,
  card,
  expectOpen,
  noteIn,
  openMessage,
  pane,
  rowLink,
  select,
  useBoard,
} from "#tests/support/browser/board.ts";
import { expect, newMessage, openLive, postMessages, test } from "#tests/support/browser/test.ts";

// Where the list and the open message stay, whatever happens.

const board = useBoard();
const desktop = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

async function open(count: number, viewport: typeof phone): Promise<Page> {
  await board.store(Array.from({ length: count }, (_, index) => `رسالة ${index}`));
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
  expect.poll(async () => Math.abs((await topOf(part)) - top)).toBeLessThanOrEqual(1);

const scrolled = (page: Page) => page.evaluate(() => scrollY);

/** A message arrives at the top of the list. */
async function arrive(page: Page, name: string) {
  const text = { ...newMessage(), name };
  expect(await postMessages(page.request, board.site, [text])).toEqual([302]);
  await expect(page.getByText(`من ${name}`)).toHaveCount(1);
  await page.clock.runFor(100);
}

test("messages further down stay in place", async () => {
  const page = await open(30, phone);
  for (const anchors of [true, false]) {
    if (!anchors) {
      // As in Safari.
      await page.evaluate(() => {
        document.documentElement.style.overflowAnchor = "none";
        CSS.supports = () => false;
      });
    }
    const read = card(page, "رسالة 15");
    await read.scrollIntoViewIfNeeded();
    expect(await scrolled(page)).toBeGreaterThan(0);
    const top = await topOf(read);
    const name = anchors ? "سارة" : "هدى";
    await arrive(page, name);
    await expect(card(page, name)).toHaveCount(1);
    await expectAt(read, top);
  }
  await page.evaluate(() => scrollTo(0, 0));
  await arrive(page, "ريم");
  await expect(card(page, "ريم")).toBeInViewport({ ratio: 1 });
});

for (const viewport of [desktop, phone]) {
  test(`the list is where it was after a message was read, at ${viewport.width} px`, async () => {
    const page = await open(30, viewport);
    const read = card(page, "رسالة 15");
    await read.scrollIntoViewIfNeeded();
    const [top, before] = [await topOf(read), await scrolled(page)];
    await rowLink(page, "رسالة 15").click();
    await expect(noteIn(page)).toBeVisible();
    if (viewport === desktop) {
      await expectAt(read, top);
    }
    await page.goBack();
    await expect(noteIn(page)).toHaveCount(0);
    await expectAt(read, top);
    await rowLink(page, "رسالة 15").click();
    // Also after an action on what was open.
    await action(page, "تم الرد").press("Enter");
    await expectOpen(page, "رسالة 16");
    await pane(page)
      .getByRole("link", { name: viewport === phone ? "الرسائل" : "إغلاق" })
      .click();
    await expect(rowLink(page, "رسالة 16")).toBeFocused();
    expect(await scrolled(page)).toBe(before);
  });
}

test("a note that is being typed stays in place", async () => {
  const page = await open(30, desktop);
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
});

test("a toast beside the selection bar covers no link in use, and moving through the bar scrolls nothing", async () => {
  const page = await open(30, phone);
  await select(page, "رسالة 5");
  const link = rowLink(page, "رسالة 12");
  await link.focus();
  await arrive(page, "سارة");
  const toast = page
    .getByRole("region", { name: "الإشعارات" })
    .locator("> *")
    .filter({ hasText: "سارة" });
  await expect(toast).toBeInViewport({ ratio: 1 });
  // It rises to its place.
  const end = async () => (await topOf(toast)) + ((await toast.boundingBox())?.height ?? 0);
  await expect.poll(end).toBeLessThanOrEqual(await topOf(bar(page)));
  await page.evaluate(() => scrollTo(0, 300));
  await bar(page).getByRole("button").first().focus();
  const before = await scrolled(page);
  for (const key of ["Tab", "Tab", "Shift+Tab"]) {
    await page.keyboard.press(key);
    expect(await scrolled(page)).toBe(before);
  }
});

test("while an action is being sent, and read again, the list stays where it is", async () => {
  const page = await open(30, desktop);
  await rowLink(page, "رسالة 12").scrollIntoViewIfNeeded();
  await openMessage(page, "رسالة 12");
  const before = await scrolled(page);
  expect(before).toBeGreaterThan(0);
  const gate = Promise.withResolvers<void>();
  await page.route(/\/admin\.data/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.keyboard.press("d");
  await sent;
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await page.clock.runFor(1200);
  expect(await scrolled(page)).toBe(before);
  gate.resolve();
  await expect(card(page, "رسالة 12").getByText("تم الرد")).toBeVisible();
  expect(await scrolled(page)).toBe(before);
});
