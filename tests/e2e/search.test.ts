import type { Page } from "playwright/test";
import { useBoard } from "#tests/support/browser/board.ts";
import { expect, postMessages, test } from "#tests/support/browser/test.ts";

const board = useBoard();

async function open(path = "/admin"): Promise<Page> {
  await board.store([]);
  await board.sql(`
    insert into public.contact_messages
      (name, email, message, note, created_at, archived_at, spam_signs, deleted_at)
    values
      ('زائر', 'a@example.com', 'أريد مَوقِعًا لمتجري', null, now() - interval '1 minute', null, null, null),
      ('موقع الورد', 'b@example.com', 'سؤال', null, now() - interval '2 minutes', now(), null, null),
      ('سارة', 'c@example.com', 'عرض', 'تحتاج لموقعها عرضًا', now() - interval '3 minutes', null, array['links'], null),
      ('فهد', 'd@example.com', 'مواقع', null, now() - interval '4 minutes', null, null, null),
      ('نورة', 'mawqi@example.com', repeat('كلام كثير قبل المطلوب. ', 20) || 'الموقع في آخر الرسالة',
        null, now() - interval '5 minutes', null, null, now())`);
  return board.open({}, path);
}

async function search(page: Page, words: string) {
  await page.getByRole("searchbox", { name: "كلمات البحث" }).fill(words);
  await page.getByRole("searchbox").press("Enter");
}

const cards = (page: Page) => page.getByRole("article");
const toAllBoxes = (page: Page) => page.getByRole("link", { name: "كل الصناديق" });
const status = (page: Page) => page.getByRole("search").getByRole("status");

test("a search finds words in the current box, then in all, and marks them as written", async () => {
  const page = await open();
  await search(page, "موقع");
  await expect(status(page)).toHaveText("نتيجة واحدة في «الرسائل»");
  await expect(cards(page)).toHaveCount(1);
  await expect(page.locator("mark")).toHaveText(["مَوقِعً"]);
  expect(new URL(page.url()).searchParams.get("q")).toBe("موقع");

  await toAllBoxes(page).click();
  await expect(status(page)).toHaveText("٤ نتائج في «كل الصناديق»");
  await expect(toAllBoxes(page)).toHaveCount(0);
  await expect(cards(page)).toHaveCount(4);
  const places = ["الرسائل", "مؤرشفة", "مزعجة", "في المهملات"];
  for (const [index, place] of places.entries()) {
    await expect(cards(page).nth(index).getByText(place, { exact: true })).toBeVisible();
  }
  await expect(cards(page).nth(1).getByRole("heading").locator("mark")).toHaveText("موقع");
  await expect(cards(page).nth(2)).toContainText("في ملاحظتك:");
  await expect(cards(page).nth(2).locator("mark")).toHaveText("موقع");
  // The match is in the part of a long text that a row cuts off.
  await expect(cards(page).nth(3).locator("mark").filter({ hasText: "موقع" })).toBeVisible();

  await page.getByRole("link", { name: "إنهاء البحث" }).click();
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await expect(status(page)).toHaveText("");
  await expect(page.locator("mark")).toHaveCount(0);
});

test("a search without a result counts those of all boxes, and Escape ends it", async () => {
  const page = await open("/admin?box=waiting");
  await expect(page.getByText("مباشر")).toBeVisible();
  await search(page, "نورة");
  await expect(status(page)).toHaveText("لا نتائج في «بانتظار ردك».");
  await expect(toAllBoxes(page)).toHaveText("كل الصناديق (١)");
  await page.getByRole("searchbox").press("Escape");
  await expect(page).toHaveURL(/\/admin\?box=waiting$/);
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await expect(page.getByRole("searchbox")).toBeFocused();
});

/** Moves each text into elements of its own, as a browser's translator does. */
function translate() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode()) {
    found.push(texts.currentNode as Text);
  }
  for (const text of found) {
    const font = document.createElement("font");
    text.replaceWith(font);
    font.append(text);
  }
}

test("a search works on a translated board", async () => {
  const page = await open("/admin?box=any&q=نورة");
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  await expect(page.getByText("مباشر")).toBeVisible();
  for (const [words, count] of [
    ["موقع", 4],
    ["قنفذ", 0],
    ["نورة", 1],
  ] as const) {
    await page.evaluate(translate);
    await search(page, words);
    await expect(cards(page)).toHaveCount(count);
  }
  await page.getByRole("link", { name: "إنهاء البحث" }).click();
  await expect(cards(page)).toHaveCount(2);
  expect(faults).toEqual([]);
});

test("a new message repeats the search, and is shown if it matches", async () => {
  const page = await open();
  await expect(page.getByText("مباشر")).toBeVisible();
  await search(page, "زرافة");
  await expect(cards(page)).toHaveCount(0);
  const text = { name: "س", email: "s@example.com", message: "بطريق" };
  await postMessages(page.request, board.site, [text, { ...text, message: "زَرافة" }]);
  await expect(page.locator("mark")).toHaveText(["زَرافة"]);
  await expect(cards(page)).toHaveCount(1);
});
