import type { Page } from "playwright/test";
import { press } from "#tests/support/browser/board.ts";
import { test } from "#tests/support/browser/claimed-board.ts";
import { expect, holdScripts, isHydrated, postMessages } from "#tests/support/browser/test.ts";

test.use({
  seed: `
        insert into public.contact_messages
          (name, email, message, note, created_at, archived_at, spam_signs, deleted_at)
        values
          ('زائر', 'a@example.com', 'أريد مَوقِعًا لمتجري', null, now() - interval '1 minute', null, null, null),
          ('موقع الورد', 'b@example.com', 'سؤال', null, now() - interval '2 minutes', now(), null, null),
          ('سارة', 'c@example.com', 'عرض', 'تحتاج لموقعها عرضًا', now() - interval '3 minutes', null, array['links'], null),
          ('فهد', 'd@example.com', 'مواقع', null, now() - interval '4 minutes', null, null, null),
          ('نورة', 'mawqi@example.com', repeat('كلام كثير قبل المطلوب. ', 20) || 'الموقع في آخر الرسالة',
            null, now() - interval '5 minutes', null, null, now());
        insert into public.contact_messages (name, email, message, created_at)
        select 'كثير', 'many@example.com', 'خط ' || n, now() - interval '1 day' - n * interval '1 second'
        from generate_series(1, 1200) n`,
});

async function search(page: Page, words: string) {
  await page.getByRole("searchbox", { name: "كلمات البحث" }).fill(words);
  await page.getByRole("searchbox").press("Enter");
}

const cards = (page: Page) => page.getByRole("article");
const status = (page: Page) => page.getByRole("search").getByRole("status");

test("a search finds words in the current box, then in all, and marks them as written", async ({
  board,
}) => {
  await board.goto("/admin");
  await search(board, "موقع");
  await expect(status(board)).toHaveText("نتيجة واحدة في «الرسائل»");
  await expect(cards(board)).toHaveCount(1);
  await expect(board.locator("mark")).toHaveText(["مَوقِعً"]);
  expect(new URL(board.url()).searchParams.get("q")).toBe("موقع");

  await board.getByLabel("في كل الصناديق").check();
  await board.getByRole("button", { name: "بحث", exact: true }).click();
  await expect(status(board)).toHaveText("٤ نتائج في «كل الصناديق»");
  await expect(board.getByLabel("في كل الصناديق")).toBeChecked();
  await expect(cards(board)).toHaveCount(4);
  const places = ["الرسائل", "مؤرشفة", "مزعجة", "في المهملات"];
  for (const [index, place] of places.entries()) {
    await expect(cards(board).nth(index).getByText(place, { exact: true })).toBeVisible();
  }
  await expect(cards(board).nth(1).getByRole("heading").locator("mark")).toHaveText("موقع");
  await expect(cards(board).nth(2).getByText("في ملاحظتك:").locator("mark")).toHaveText("موقع");
  // The match is in the part of a long text that a row cuts off.
  await expect(cards(board).nth(3).locator("mark").filter({ hasText: "موقع" })).toBeVisible();

  await board.getByRole("link", { name: "إنهاء البحث" }).click();
  await expect(board.getByRole("searchbox")).toHaveValue("");
  await expect(board.getByLabel("في كل الصناديق")).toHaveCount(0);
  await expect(status(board)).toHaveText("");
  await expect(board.locator("mark")).toHaveCount(0);
});

test("what is typed before scripts run stays @scripts", async ({ board }) => {
  const release = await holdScripts(board);
  await board.goto("/admin", { waitUntil: "commit" });
  await board.getByRole("searchbox").fill("موقع");
  release();
  await board.waitForFunction(isHydrated);
  await expect(board.getByText("مباشر")).toBeVisible();
  await expect(board.getByRole("searchbox")).toHaveValue("موقع");
});

test("results come in pages @once", async ({ board }) => {
  await board.goto("/admin");
  await search(board, "many@example");
  await expect(cards(board)).toHaveCount(50);
  await expect(status(board)).toHaveText("نتائج البحث في «الرسائل»، الأحدث أولًا");
  await board.getByRole("link", { name: "رسائل أقدم" }).click();
  await expect(board.getByText("خط 51", { exact: true })).toBeVisible();
  await expect(cards(board)).toHaveCount(50);
  await search(board, "قق");
  await expect(status(board)).toHaveText("لا نتائج في «الرسائل».");
});

test("an action on a result leads back to the search @once", async ({ board }) => {
  await board.goto("/admin?q=مواقع&box=any");
  await press(board, "فهد", "أرشفة");
  await expect(board.getByText("أُرشفت رسالة واحدة")).toBeVisible();
  await expect(cards(board).getByText("مؤرشفة", { exact: true })).toBeVisible();
  await expect(board.getByRole("searchbox")).toHaveValue("مواقع");
  await board.getByRole("button", { name: "تراجع" }).click();
  await expect(cards(board).getByText("الرسائل", { exact: true })).toBeVisible();
});

test("a new message repeats the search, and is shown if it matches @scripts", async ({
  board,
  inbox: { site },
}) => {
  await board.goto("/admin");
  await expect(board.getByText("مباشر")).toBeVisible();
  await search(board, "زرافة");
  await expect(cards(board)).toHaveCount(0);
  const text = { name: "س", email: "s@example.com", message: "بطريق" };
  await postMessages(board.request, site, [text, { ...text, message: "زَرافة" }]);
  await expect(board.locator("mark")).toHaveText(["زَرافة"]);
  await expect(cards(board)).toHaveCount(1);
});
