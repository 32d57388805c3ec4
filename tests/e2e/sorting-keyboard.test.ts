import { notice } from "#tests/support/browser/account.ts";
import { card, press, useBoard } from "#tests/support/browser/board.ts";
import { expect, leaveMessage, liveBadge, newMessage, test } from "#tests/support/browser/test.ts";

const board = useBoard();

const undo = "تراجع";
const names = ["نورة", "سعد", "ليلى"];

test("after an action the focus is on the next card, on the last one left, or on the empty box", async () => {
  await board.store(names);
  const page = await board.open();
  for (const [name, next] of [
    ["سعد", "ليلى"],
    ["ليلى", "نورة"],
    ["نورة", undefined],
  ] as const) {
    await card(page, name).getByRole("button", { name: "أرشفة" }).focus();
    await page.keyboard.press("Enter");
    // A screen reader reads out the focused element.
    await expect(notice(page, "أُرشفت رسالة واحدة")).toBeFocused();
    await expect(notice(page, "أُرشفت رسالة واحدة")).toBeInViewport();
    await expect(card(page, name)).toHaveCount(0);
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: undo })).toBeFocused();
    if (next !== undefined) {
      await page.keyboard.press("Tab");
      await expect(card(page, next).getByRole("checkbox")).toBeFocused();
    }
  }
});

test("a screen reader hears how many messages are chosen @scripts", async () => {
  await board.store(names);
  const page = await board.open();
  const told = page.getByRole("status").filter({ hasText: "المختارة" });
  const boxes = page.getByRole("article").getByRole("checkbox");
  await expect(told).toHaveCount(0);
  await boxes.nth(0).press("Space");
  await expect(told).toHaveText("الرسائل المختارة: ١");
  await boxes.nth(1).press("Space");
  await expect(told).toHaveText("الرسائل المختارة: ٢");
  await page.getByRole("button", { name: "اختيار الكل" }).press("Enter");
  await expect(told).toHaveText("الرسائل المختارة: ٣");
  // A message that leaves the list is no longer chosen.
  await press(card(page, "سعد"), "أرشفة");
  await expect(told).toHaveText("الرسائل المختارة: ٢");
  await page.locator(".sort-bar").getByRole("button", { name: "أجبتُه" }).click();
  await expect(notice(page, "أُجيبت رسالتان")).toBeFocused();
  await expect(told).toHaveCount(0);
});

test("a press while another action is sent is carried out after it, a double click once @scripts", async () => {
  await board.store(names);
  const page = await board.open();
  const sent: string[] = [];
  const gate = Promise.withResolvers<void>();
  await page.route(/\/admin\.data/, async (route) => {
    if (route.request().method() === "POST") {
      sent.push(route.request().postData() ?? "");
      await gate.promise;
    }
    await route.continue();
  });
  const archive = (name: string) => card(page, name).getByRole("button", { name: "أرشفة" });
  await archive("نورة").dblclick();
  await archive("ليلى").click();
  await archive("سعد").click();
  expect(sent).toHaveLength(1);
  gate.resolve();
  await expect(page.getByRole("article")).toHaveCount(0);
  const actions = sent.filter((body) => body.includes("archive"));
  expect(actions).toHaveLength(3);
});

test("all messages of a board that has grown beyond a page can be chosen and archived @scripts", async () => {
  await board.store(Array.from({ length: 50 }, (_, index) => `زائر ${index}`));
  const page = await board.open();
  await expect(liveBadge(page)).toBeVisible();
  await leaveMessage(page.context(), newMessage());
  await expect(page.getByRole("article")).toHaveCount(51);
  await page.getByRole("article").getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "اختيار الكل" }).click();
  await expect(page.locator(".sort-bar")).toContainText("اخترت ٥١");
  await page.locator(".sort-bar").getByRole("button", { name: "أرشفة" }).click();
  await expect(notice(page, "أُرشفت ٥١ رسالة")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(0);
});
