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
import { expect, journey, liveBadge, test } from "#tests/support/browser/test.ts";

const board = useBoard();

const undo = "تراجع";
const names = ["نورة", "سعد", "ليلى"];
const dropped = /انقطع الاتصال بالموقع/;

// Each action is a button of the same form, and each undo (site/board.test.ts has all).
journey("an action of a card is done, undone and done again", async () => {
  await board.store(names);
  const page = await board.open();
  const done = notice(page, "أُرشفت رسالة واحدة");
  await press(page, "سعد", "أرشفة");
  await page.getByRole("button", { name: undo }).click();
  await expect(notice(page, "عادت رسالة واحدة من الأرشيف")).toBeVisible();
  await expect(card(page, "سعد")).toHaveCount(1);
  await page.getByRole("button", { name: undo }).click();
  await expect(done).toBeVisible();
  await expect(card(page, "سعد")).toHaveCount(0);
});

test("after an action the next message, or the last one left, is open", async () => {
  await board.store(names);
  const page = await board.open();
  for (const [name, next] of [
    ["سعد", "ليلى"],
    ["ليلى", "نورة"],
  ] as const) {
    await press(page, name, "أرشفة");
    await expect(card(page, name)).toHaveCount(0);
    await expectOpen(page, next);
    await expect(rowLink(page, next)).toBeFocused();
  }
  await press(page, "نورة", "أرشفة");
  await expect(page.getByRole("article")).toHaveCount(0);
  await expect(page).not.toHaveURL(/open=/);
  await expect(notice(page, "أُرشفت رسالة واحدة").locator("#notice")).toBeFocused();
});

test("without scripts the notice has the focus once no message is left", async () => {
  await board.store(["سعد"]);
  const page = await board.open({ javaScriptEnabled: false });
  await press(page, "سعد", "أرشفة");
  await expect(notice(page, "أُرشفت رسالة واحدة").locator("#notice")).toBeFocused();
});

test("eleven chosen messages are counted aloud, go and come back together", async () => {
  const many = Array.from({ length: 12 }, (_, index) => `رقم ${index + 1}`);
  await board.store(many);
  const page = await board.open();
  await expect(liveBadge(page)).toBeVisible();
  const archive = bar(page).getByRole("button", { name: "أرشفة" });
  await expect(archive).toBeHidden();
  const told = page.getByRole("status").filter({ hasText: "المحددة" });
  await select(page, ...many.slice(1, 3));
  await expect(told).toHaveText("المحددة: ٢");
  await expect(told).toBeVisible();
  await expect(bar(page).getByText("كل الصندوق")).toHaveCount(0);
  await bar(page).getByRole("button", { name: "الكل" }).press("Enter");
  await expect(told).toHaveText("المحددة: ١٢");
  // A message that leaves the list is no longer chosen.
  await press(page, "رقم 1", "أرشفة");
  await expect(told).toHaveText("المحددة: ١١");
  await archive.click();
  await expect(notice(page, "أُرشفت ١١ رسالة")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(0);
  await page.getByRole("button", { name: undo }).click();
  await expect(notice(page, "عادت ١١ رسالة من الأرشيف")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(11);
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
});

test("Enter in a checkbox does nothing", async () => {
  await board.store(names);
  const page = await board.open();
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") {
      sent.push(request.url());
    }
  });
  await select(page);
  const box = page.getByRole("article").getByRole("checkbox").nth(1);
  await box.focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(box).toBeChecked();
  // A key that the page handles after Enter.
  await page.keyboard.press("Space");
  await expect(box).not.toBeChecked();
  expect(sent).toEqual([]);
});

test("a broken connection keeps the selection", async () => {
  await board.store(names);
  const page = await board.open();
  await expect(liveBadge(page)).toBeVisible();
  await select(page, "سعد");
  const chosen = card(page, "سعد").getByRole("checkbox");
  await page.route(/\.data/, (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await press(page, "ليلى", "أرشفة");
  await expect(page.getByRole("alert").filter({ hasText: dropped })).toBeFocused();
  await expect(chosen).toBeChecked();
  await page.unrouteAll();
  await press(page, "ليلى", "أرشفة");
  await expect(notice(page, "أُرشفت رسالة واحدة")).toBeVisible();
  await expect(chosen).toBeChecked();
});
