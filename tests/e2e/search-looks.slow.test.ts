import { noteIn } from "#tests/support/browser/board.ts";
import { test } from "#tests/support/browser/claimed-board.ts";
import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import { expect } from "#tests/support/browser/test.ts";

test.use({
  seed: `
    insert into public.contact_messages (name, email, message, note, spam_signs, deleted_at)
    select 'موقع ' || n, 'a@example.com', repeat('نص قبل الكلمة. ', 30) || 'موقع', 'موقع',
      case when n = 1 then array['links'] end, case when n = 2 then now() end
    from generate_series(1, 4) n`,
});

const paths = [
  "/admin?q=موقع&box=any",
  "/admin?q=س",
  "/admin?q=قنفذ",
  "/admin?box=spam",
  "/admin/empty?box=spam",
  "/admin/empty?box=x",
];

test("the pages of search and emptying look good", async ({ board }) => {
  for (const path of paths) {
    await board.goto(path);
    await expectGoodLooks(board, path);
  }
});

test("a printed message shows its note, and no buttons", async ({ board }) => {
  await board.goto("/admin");
  const [noted] = await board.getByRole("article").filter({ hasText: "لها ملاحظة" }).all();
  await noted?.getByRole("heading").getByRole("link").press("Enter");
  await expect(noteIn(board)).toBeVisible();
  await board.emulateMedia({ media: "print" });
  await expect(noteIn(board)).toBeVisible();
  for (const text of ["ردود جاهزة", "CSV", "اختر طريقة"]) {
    await expect(board.getByText(text).first()).toBeHidden();
  }
});

test("a match is visible with forced colours", async ({ board }) => {
  await board.emulateMedia({ forcedColors: "active" });
  await board.goto("/admin?q=موقع&box=any");
  const mark = board.locator("mark").first();
  const of = (name: "color" | "backgroundColor") =>
    mark.evaluate((element, property) => {
      const parent = element.parentElement ?? element;
      return [getComputedStyle(element)[property], getComputedStyle(parent)[property]];
    }, name);
  const [background, around] = await of("backgroundColor");
  expect(background).not.toBe(around);
});

test("the current list can be downloaded, as it is searched", async ({ board }) => {
  await board.goto("/admin?q=موقع&box=any");
  const downloaded = board.waitForEvent("download");
  await board.getByRole("link", { name: "تنزيل هذه النتائج: CSV" }).click();
  expect((await downloaded).suggestedFilename()).toMatch(/^كل-الصناديق-[\d-]+\.csv$/);
  await expect(board.getByRole("searchbox")).toHaveValue("موقع");
});
