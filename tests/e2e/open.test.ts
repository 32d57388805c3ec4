import type { Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import {
  card,
  expectOpen,
  noteIn,
  openBox,
  openMessage,
  pane,
  rowLink,
  useBoard,
} from "#tests/support/browser/board.ts";
import { expect, isHydrated, openLive, plainTest, test } from "#tests/support/browser/test.ts";
import { storeMessages } from "#tests/support/messages.ts";
import { settled } from "#tests/support/settled.ts";

const board = useBoard();

const names = ["نورة", "سعد", "ليلى"];

/** The requests for data, but the reports of what was seen. */
function watchRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(".data") || request.isNavigationRequest()) {
      asked.push(`${request.method()} ${request.url()}`);
    }
  });
  return asked;
}

test("opening, going on and closing ask the site for nothing", async () => {
  await board.store(names);
  const page = await board.open({ viewport: { width: 1440, height: 900 } });
  await openLive(page);
  const asked = watchRequests(page);
  // The events of the messages that were stored just now may still arrive.
  await settled(async () => asked.length);
  asked.length = 0;
  await openMessage(page, "نورة");
  await expect(page).toHaveURL(/\/admin\?open=[\da-f-]{36}$/);
  await page.keyboard.press("j");
  await expectOpen(page, "سعد");
  await page.keyboard.press("k");
  await expectOpen(page, "نورة");
  // J and K leave one step in the history.
  await page.goBack();
  await expect(noteIn(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/admin$/);
  await page.goForward();
  await expectOpen(page, "نورة");
  await pane(page).getByRole("link", { name: "إغلاق" }).click();
  await expect(noteIn(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/admin$/);
  await page.getByRole("link", { name: "تحديد", exact: true }).click();
  await expect(card(page, "سعد").getByRole("checkbox")).toBeVisible();
  expect(asked).toEqual([]);
});

plainTest("an address shows what was seen at it: the list with its open message", async () => {
  await board.store(names);
  const page = await board.open();
  await openMessage(page, "سعد");
  const address = page.url();
  const other = await board.open({}, address);
  await expectOpen(other, "سعد");
  await expect(card(other, "ليلى")).toBeVisible();
  await expect(rowLink(other, "سعد")).toHaveAttribute("aria-current", "true");
  await expect(other.getByRole("heading", { name: "سعد" }).last()).toBeFocused();
  for (const id of ["11111111-2222-4333-8444-555555555555", "x"]) {
    await page.goto(`/admin?open=${id}`);
    await expect(page.getByText("هذه الرسالة غير موجودة، أو حُذفت نهائيًا.")).toBeVisible();
  }
});

test("a link of a mail opens a message of another page and of another box", async () => {
  await board.store(Array.from({ length: 60 }, (_, index) => `رسالة ${index}`));
  const stored = await storeMessages(board.site.dataDir, [
    { name: "قديمة", email: "a@example.com", message: "نص", created_at: new Date(0) },
    { name: "مؤرشفة", email: "a@example.com", message: "نص", created_at: new Date(1) },
  ]);
  await board.sql("update public.contact_messages set archived_at = now() where name = 'مؤرشفة'");
  const page = await board.open();
  for (const { id, name } of stored) {
    await page.goto(`/admin?open=${id}`);
    await expectOpen(page, name);
    await expect(card(page, "رسالة 0")).toBeVisible();
    await expect(card(page, name)).toHaveCount(0);
    // Its note is written like any other.
    await noteIn(page).fill("من البريد");
    await pane(page).getByRole("button", { name: "حفظ الملاحظة" }).click();
    await expect(notice(page, "حُفظت الملاحظة")).toBeVisible();
  }
});

test("history that leads to a message of another list has it read again", async () => {
  await board.store(names);
  const page = await board.open();
  await page.waitForFunction(isHydrated);
  await openMessage(page, "سعد");
  await openBox(page, "المزعجة");
  await expect(page.getByRole("article")).toHaveCount(0);
  await page.goBack();
  await expectOpen(page, "سعد");
  await expect(card(page, "نورة")).toBeVisible();
});
