import { randomUUID } from "node:crypto";
import type { Page } from "playwright/test";
import { owner } from "#app/content/owner.ts";
import { notice } from "#tests/support/browser/account.ts";
import { bar, card, rowLink, select, useBoard } from "#tests/support/browser/board.ts";
import {
  expect,
  liveBadge,
  newMessage,
  plainTest,
  postMessages,
  test,
} from "#tests/support/browser/test.ts";
import { storeMessages } from "#tests/support/messages.ts";

// «خط الوعد», which is never out of the list's window.

test.skip(!owner.promise, "The content has no promise.");

const board = useBoard();
const desktop = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

/** Opens the board with messages in time, and twenty late ones. */
async function open(viewport = desktop, inTime = 20): Promise<Page> {
  await board.store(Array.from({ length: inTime }, (_, index) => `جديدة ${index}`));
  const late = Array.from({ length: 20 }, (_, index) => ({
    name: `متأخرة ${index}`,
    email: "a@example.com",
    message: "نص",
    created_at: new Date(Date.now() - 6 * 24 * 60 * 60 * 1000 - index * 60_000),
  }));
  await storeMessages(board.site.dataDir, late);
  return board.open({ viewport });
}

const line = (page: Page) => page.locator("#now").getByRole("link");
const boxOf = async (page: Page) => {
  const { y = Number.NaN, height = 0 } = (await line(page).boundingBox()) ?? {};
  return { top: y, bottom: y + height };
};
/** Browsers scroll by whole pixels. */
const expectAt = (edge: number, other: number) =>
  expect(Math.abs(edge - other)).toBeLessThanOrEqual(1);

/** Whether nothing lies over the line where it is seen. */
const isOnTop = (page: Page) =>
  line(page).evaluate((link) => {
    const { left, right, top, bottom } = link.getBoundingClientRect();
    return link.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  });

for (const viewport of [desktop, phone]) {
  test(`it lies at the lower edge, climbs, and stays at the upper edge, at ${viewport.width} px`, async () => {
    const page = await open(viewport);
    expectAt((await boxOf(page)).bottom, viewport.height);
    await card(page, "متأخرة 0").evaluate((row) => row.scrollIntoView({ block: "center" }));
    const row = await card(page, "متأخرة 0").boundingBox();
    expectAt((await boxOf(page)).bottom, row?.y ?? 0);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const search = await page.getByRole("search").boundingBox();
    const edge = viewport === phone ? 0 : (search?.y ?? 0) + (search?.height ?? 0);
    expectAt((await boxOf(page)).top, edge);
    expect(await isOnTop(page)).toBe(true);
    await page.evaluate(() => scrollTo(0, 0));
    await select(page, "جديدة 0");
    await expect(bar(page)).toBeVisible();
    const dock = await bar(page).boundingBox();
    expect((await boxOf(page)).bottom).toBeLessThanOrEqual(dock?.y ?? 0);
    expect(await isOnTop(page)).toBe(true);
  });
}

test("on a phone neither a toast nor a notice covers it, nor does the ring of a refusal over a whole box", async ({
  request,
}) => {
  const page = await open(phone, 40);
  const said = page.locator("#notice");
  await page.goto(`/admin?done=archive.1.${randomUUID()}`);
  expectAt((await boxOf(page)).bottom, (await said.boundingBox())?.y ?? 0);
  await page.goto("/admin");
  await expect(liveBadge(page)).toBeVisible();
  await postMessages(request, board.site, [newMessage()]);
  const toast = notice(page, "رسالة جديدة!");
  await expect(toast).toBeVisible();
  const { y = Number.NaN, height = 0 } = (await toast.boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual((await boxOf(page)).top);
  await select(page);
  await bar(page).getByRole("button", { name: "الكل" }).click();
  await bar(page)
    .getByRole("checkbox", { name: /كل الصندوق/ })
    .check();
  await page.route(/\.data/, (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 403 }) : route.continue(),
  );
  await bar(page).getByRole("button", { name: "أرشفة" }).press("Enter");
  await expect(said).toBeFocused();
  const ring = await said.evaluate((element) => {
    const { outlineOffset, outlineWidth } = getComputedStyle(element);
    const outside = Math.max(0, Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth));
    return element.getBoundingClientRect().top - outside;
  });
  expect((await boxOf(page)).bottom).toBeLessThanOrEqual(ring);
  expect(await isOnTop(page)).toBe(true);
});

plainTest("it leads to the row under it", async () => {
  const page = await open();
  await line(page).click();
  await expect(card(page, "متأخرة 0")).toBeInViewport({ ratio: 1 });
  const row = await card(page, "متأخرة 0").boundingBox();
  expect((await boxOf(page)).bottom).toBeLessThanOrEqual((row?.y ?? 0) + 1);
});

test("G, J and K go through it, and no row is moved to under it", async () => {
  const page = await open();
  await expect(liveBadge(page)).toBeVisible();
  await rowLink(page, "جديدة 0").focus();
  await page.keyboard.press("g");
  await expect(rowLink(page, "متأخرة 0")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await expect(line(page)).toBeFocused();
  await page.keyboard.press("j");
  await expect(rowLink(page, "متأخرة 0")).toBeFocused();
  await line(page).focus();
  await page.keyboard.press("k");
  await expect(rowLink(page, "جديدة 19")).toBeFocused();
  await line(page).focus();
  await page.keyboard.press("Enter");
  await expect(rowLink(page, "متأخرة 0")).toBeFocused();
  await page.evaluate(() => scrollTo(0, 0));
  await rowLink(page, "جديدة 0").focus();
  for (let step = 1; step < 20; step += 1) {
    await page.keyboard.press("j");
    const row = await card(page, `جديدة ${step}`).boundingBox();
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual((await boxOf(page)).top + 1);
  }
});
