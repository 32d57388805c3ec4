import { notice } from "#tests/support/browser/account.ts";
import { bar, card, openBox, press, select, useBoard } from "#tests/support/browser/board.ts";
import {
  expect,
  isHydrated,
  liveBadge,
  newMessage,
  postMessages,
  test,
} from "#tests/support/browser/test.ts";

const board = useBoard();

const undo = "تراجع";
const names = ["نورة", "سعد", "ليلى"];

/** The actions of a card in each box, their notices, and the message's next box. */
const moves = [
  ["/admin", "أرشفة", "أُرشفت رسالة واحدة", "المؤرشفة", "عادت رسالة واحدة من الأرشيف"],
  ["/admin?box=waiting", "حذف", "نُقلت رسالة واحدة إلى المهملات", "المهملات", "استُعيدت رسالة واحدة"],
  [
    "/admin",
    "مزعجة",
    "نُقلت رسالة واحدة إلى المزعجة",
    "المزعجة",
    "نُقلت رسالة واحدة إلى لوحة الرسائل",
  ],
  [
    "/admin?box=archived",
    "إلى الرسائل",
    "عادت رسالة واحدة من الأرشيف",
    "الرسائل",
    "أُرشفت رسالة واحدة",
  ],
  [
    "/admin?box=spam",
    "ليست مزعجة",
    "نُقلت رسالة واحدة إلى لوحة الرسائل",
    "الرسائل",
    "نُقلت رسالة واحدة إلى المزعجة",
  ],
  ["/admin?box=trash", "استعادة", "استُعيدت رسالة واحدة", "الرسائل", "نُقلت رسالة واحدة إلى المهملات"],
] as const;
const now = new Date().toISOString();
const states: Record<string, object> = {
  archived: { archived_at: now },
  spam: { spam_signs: ["links"] },
  trash: { deleted_at: now },
};

test("each action of a card is done, confirmed, undone and done again", async ({ scripts }) => {
  const page = await board.open();
  // Without scripts each of them is a button of the same form.
  for (const [path, button, said, box, unsaid] of scripts ? moves : moves.slice(0, 1)) {
    await board.store(names, states[path.split("=")[1] ?? ""]);
    await page.goto(path);
    await press(page, "سعد", button);
    await expect(notice(page, said)).toBeVisible();
    await expect(card(page, "سعد")).toHaveCount(0);
    await expect(page.getByRole("article")).toHaveCount(2);
    await page.getByRole("button", { name: undo }).click();
    await expect(notice(page, unsaid)).toBeVisible();
    await expect(card(page, "سعد")).toHaveCount(1);
    await page.getByRole("button", { name: undo }).click();
    await expect(notice(page, said)).toBeVisible();
    await openBox(page, box);
    await expect(card(page, "سعد")).toHaveCount(1);
    await expect(notice(page, said)).toHaveCount(0);
  }
});

test("eleven chosen messages go and come back together", async () => {
  const many = Array.from({ length: 12 }, (_, index) => `رقم ${index + 1}`);
  await board.store(many);
  const page = await board.open();
  const archive = bar(page).getByRole("button", { name: "أرشفة" });
  await expect(archive).toBeHidden();
  await select(page, ...many.slice(1));
  await archive.click();
  await expect(notice(page, "أُرشفت ١١ رسالة")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.getByRole("button", { name: undo }).click();
  await expect(notice(page, "عادت ١١ رسالة من الأرشيف")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(12);
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
});

test("the notice stays while messages arrive, and goes with the next action @scripts", async ({
  browser,
}) => {
  await board.store(names);
  const page = await board.open();
  await expect(liveBadge(page)).toBeVisible();
  await press(page, "سعد", "أرشفة");
  await expect(notice(page, "أُرشفت رسالة واحدة")).toBeVisible();
  const visitor = await browser.newContext({ baseURL: board.site.url });
  const text = newMessage();
  expect(await postMessages(visitor.request, board.site, [text])).toEqual([302]);
  await expect(card(page, text.name)).toBeVisible();
  await expect(notice(page, "أُرشفت رسالة واحدة")).toBeVisible();
  await openBox(page, "الرسائل");
  await expect(notice(page, "أُرشفت رسالة واحدة")).toHaveCount(0);
});

test("Enter in a checkbox does nothing", async () => {
  await board.store(names);
  const page = await board.open();
  const sent: string[] = [];
  page.on("request", (request) => {
    // The board reports by itself what was seen.
    if (request.method() === "POST" && !request.postData()?.startsWith("seen=")) {
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

test("a broken connection keeps the selection @scripts", async () => {
  await board.store(names);
  const page = await board.open();
  await page.waitForFunction(isHydrated);
  await expect(liveBadge(page)).toBeVisible();
  await select(page, "سعد");
  await page.route(/\.data/, (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await press(page, "ليلى", "أرشفة");
  await expect(notice(page, "انقطع الاتصال بالموقع")).toBeFocused();
  await expect(page.getByRole("article").getByRole("checkbox").nth(1)).toBeChecked();
  await page.unrouteAll();
  await press(page, "ليلى", "أرشفة");
  await expect(notice(page, "أُرشفت رسالة واحدة")).toBeVisible();
  await expect(page.getByRole("article").getByRole("checkbox").nth(1)).toBeChecked();
});
