import { notice } from "#tests/support/browser/account.ts";
import { card, press, useBoard } from "#tests/support/browser/board.ts";
import { expect, leaveMessage, liveBadge, newMessage, test } from "#tests/support/browser/test.ts";

const board = useBoard();

const names = ["نورة", "سعد", "ليلى"];

test("after an action the next card, or the last one left, is open and has the focus", async () => {
  await board.store(names);
  const page = await board.open();
  for (const [name, next] of [
    ["سعد", "ليلى"],
    ["ليلى", "نورة"],
    ["نورة", undefined],
  ] as const) {
    await card(page, name).locator("summary").focus();
    await card(page, name).getByRole("button", { name: "أرشفة" }).focus();
    await page.keyboard.press("Enter");
    await expect(card(page, name)).toHaveCount(0);
    const said = notice(page, "أُرشفت رسالة واحدة");
    await expect(said).toBeInViewport();
    if (next === undefined) {
      await expect(said).toBeFocused();
      continue;
    }
    // It is open, and a screen reader reads out what was done with it.
    const opened = card(page, next).locator("summary");
    await expect(opened).toBeFocused();
    await expect(opened).toHaveAccessibleDescription(/أُرشفت رسالة واحدة/);
    await expect(card(page, next).locator("details")).toHaveAttribute("open");
  }
});

test("a screen reader hears how many messages are chosen @scripts", async () => {
  await board.store(names);
  const page = await board.open();
  const told = page.getByRole("status").filter({ hasText: "المحددة" });
  const boxes = page.getByRole("article").getByRole("checkbox");
  await expect(told).toHaveCount(0);
  await boxes.nth(0).press("Space");
  await expect(told).toHaveText("المحددة: ١");
  await boxes.nth(1).press("Space");
  await expect(told).toHaveText("المحددة: ٢");
  await page.getByRole("button", { name: "تحديد الكل" }).press("Enter");
  await expect(told).toHaveText("المحددة: ٣");
  // A message that leaves the list is no longer chosen.
  await press(card(page, "سعد"), "أرشفة");
  await expect(told).toHaveText("المحددة: ٢");
  await page.locator(".sort-bar").getByRole("button", { name: "تم الرد" }).click();
  await expect(notice(page, "تم الرد على رسالتين")).toBeFocused();
  await expect(told).toHaveCount(0);
});

test("a press while another action is sent is carried out after it, a double click once @scripts", async () => {
  await board.store(names);
  // Where closed messages show their buttons.
  const page = await board.open({ viewport: { width: 768, height: 900 } });
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
  await page.getByRole("button", { name: "تحديد الكل" }).click();
  await expect(page.locator(".sort-bar")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "المحددة" })).toHaveText("المحددة: ٥١");
  await page.locator(".sort-bar").getByRole("button", { name: "أرشفة" }).click();
  await expect(notice(page, "أُرشفت ٥١ رسالة")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(0);
});
