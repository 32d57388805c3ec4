import { notice } from "#tests/support/browser/account.ts";
import {
  bar,
  card,
  expectOpen,
  press,
  rowLink,
  select,
  useBoard,
} from "#tests/support/browser/board.ts";
import { expect, leaveMessage, liveBadge, newMessage, test } from "#tests/support/browser/test.ts";

const board = useBoard();

const names = ["نورة", "سعد", "ليلى"];

test("after an action the next message, or the last one left, is open", async ({ scripts }) => {
  await board.store(names);
  const page = await board.open();
  for (const [name, next] of [
    ["سعد", "ليلى"],
    ["ليلى", "نورة"],
  ] as const) {
    await press(page, name, "أرشفة");
    await expect(card(page, name)).toHaveCount(0);
    await expect(notice(page, "أُرشفت رسالة واحدة")).toBeInViewport();
    await expectOpen(page, next);
    if (scripts) {
      await expect(rowLink(page, next)).toBeFocused();
    }
  }
  await press(page, "نورة", "أرشفة");
  await expect(page.getByRole("article")).toHaveCount(0);
  await expect(page).not.toHaveURL(/open=/);
  if (scripts) {
    await expect(notice(page, "أُرشفت رسالة واحدة")).toBeFocused();
  }
});

test("a screen reader hears how many messages are chosen @scripts", async () => {
  await board.store(names);
  const page = await board.open();
  await expect(liveBadge(page)).toBeVisible();
  await select(page);
  const told = page.getByRole("status").filter({ hasText: "المحددة" });
  const boxes = page.getByRole("article").getByRole("checkbox");
  await expect(told).toHaveCount(0);
  await boxes.nth(0).press("Space");
  await expect(told).toHaveText("المحددة: ١");
  await boxes.nth(1).press("Space");
  await expect(told).toHaveText("المحددة: ٢");
  await bar(page).getByRole("button", { name: "الكل" }).press("Enter");
  await expect(told).toHaveText("المحددة: ٣");
  // A message that leaves the list is no longer chosen.
  await press(page, "سعد", "أرشفة");
  await expect(told).toHaveText("المحددة: ٢");
  await bar(page).getByRole("button", { name: "تم الرد" }).click();
  await expect(notice(page, "تم الرد على رسالتين")).toBeVisible();
  await expect(told).toHaveCount(0);
});

test("all messages of a board that has grown beyond a page can be chosen and archived @scripts", async () => {
  await board.store(Array.from({ length: 50 }, (_, index) => `زائر ${index}`));
  const page = await board.open();
  await expect(liveBadge(page)).toBeVisible();
  await leaveMessage(page.context(), newMessage());
  await expect(page.getByRole("article")).toHaveCount(51);
  await select(page, "زائر 0");
  await bar(page).getByRole("button", { name: "الكل" }).click();
  await expect(bar(page)).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "المحددة" })).toHaveText("المحددة: ٥١");
  await bar(page).getByRole("button", { name: "أرشفة" }).click();
  await expect(notice(page, "أُرشفت ٥١ رسالة")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(0);
});
