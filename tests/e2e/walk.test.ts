import type { Locator, Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import {
  bar,
  card,
  expectOpen,
  noteIn,
  pane,
  rowLink,
  useBoard,
} from "#tests/support/browser/board.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";

const board = useBoard();

async function open(): Promise<Page> {
  await board.store(["نورة", "سعد", "ليلى"], { phone: "966501234567", note: "تتصل غدًا" });
  const page = await board.open({ viewport: { width: 1440, height: 900 } });
  await expect(liveBadge(page)).toBeVisible();
  return page;
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, target: Locator, most = 40) {
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let step = 0; step < most; step += 1) {
    await page.keyboard.press("Tab");
    if (await isThere()) {
      return;
    }
  }
  throw new Error(`Tab did not reach ${String(target)}`);
}

test("an owner does a day's work by keyboard alone @scripts", async () => {
  const page = await open();
  // From the top of the page to the first message: two stops in each row.
  await tabTo(page, page.getByRole("checkbox", { name: "تحديد رسالة نورة" }));
  await page.keyboard.press("Tab");
  await expect(rowLink(page, "نورة")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(pane(page).getByRole("heading", { name: "نورة" })).toBeFocused();

  // The replies, the actions and the note come in this order.
  const stops = ["visitor-0@example.com", "+966 50 123 4567", "ردّ بواتساب", "ردّ بالبريد"];
  await tabTo(page, pane(page).getByRole("link", { name: "إغلاق" }), 1);
  for (const name of stops) {
    await page.keyboard.press("Tab");
    await expect(pane(page).getByRole("link", { name, exact: true })).toBeFocused();
  }
  for (const name of ["تم الرد", "أرشفة", "حذف", "مزعجة"]) {
    await page.keyboard.press("Tab");
    await expect(pane(page).getByRole("button", { name })).toBeFocused();
  }
  await page.keyboard.press("Tab");
  await expect(noteIn(page)).toBeFocused();
  await page.keyboard.type(" صباحًا");
  await expect(pane(page).getByText("لم تُحفظ بعد")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(notice(page, "حُفظت الملاحظة")).toBeVisible();
  await expect(noteIn(page)).toHaveValue(/صباحًا/);
  await expect(pane(page).getByText("لم تُحفظ بعد")).toHaveCount(0);

  // Escape leads back to the row, the list goes on from there.
  await pane(page).getByRole("heading", { name: "نورة" }).focus();
  await page.keyboard.press("Escape");
  await expect(rowLink(page, "نورة")).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expectOpen(page, "سعد");
  await tabTo(page, pane(page).getByRole("button", { name: "تم الرد" }));
  await page.keyboard.press("Enter");
  await expect(notice(page, "تم الرد على رسالة واحدة")).toBeVisible();
  await expectOpen(page, "ليلى");
  await expect(rowLink(page, "ليلى")).toBeFocused();

  // Selecting, and taking it back from the notice.
  await page.keyboard.press("x");
  await expect(bar(page)).toBeVisible();
  await tabTo(page, bar(page).getByRole("button", { name: "أرشفة" }));
  await page.keyboard.press("Enter");
  await expect(notice(page, "أُرشفت رسالة واحدة")).toBeVisible();
  await expect(card(page, "ليلى")).toHaveCount(0);
  await tabTo(page, page.getByRole("button", { name: "تراجع" }));
  await page.keyboard.press("Enter");
  await expect(card(page, "ليلى")).toHaveCount(1);

  // The list of keys takes the focus, and gives it back.
  await rowLink(page, "ليلى").focus();
  await page.keyboard.press("Shift+Slash");
  const help = page.getByRole("dialog", { name: "مفاتيح اللوحة" });
  await expect(help.getByRole("button", { name: "إغلاق" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(help).toHaveCount(0);
  await expect(rowLink(page, "ليلى")).toBeFocused();
});

test("the skip link of the open row leads to the open message @scripts", async () => {
  const page = await open();
  await rowLink(page, "سعد").click();
  await expectOpen(page, "سعد");
  await expect(rowLink(page, "سعد")).toBeFocused();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "إلى الرسالة المفتوحة" });
  await expect(skip).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(pane(page).getByRole("heading", { name: "سعد" })).toBeFocused();
  await expect(page).toHaveURL(/open=/);
});

test("Enter on the open row leads to the open message, also after a click @scripts", async () => {
  const page = await open();
  await rowLink(page, "سعد").click();
  await expectOpen(page, "سعد");
  await expect(rowLink(page, "سعد")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(pane(page).getByRole("heading", { name: "سعد" })).toBeFocused();
});
