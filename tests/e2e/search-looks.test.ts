import { readFile } from "node:fs/promises";
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

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("the pages of search and emptying look good @layout", async ({ board }) => {
      for (const path of paths) {
        await board.goto(path);
        await expectGoodLooks(board, path);
      }
    });
  });
}

test("a printed board shows notes, and no buttons", async ({ board }) => {
  await board.goto("/admin");
  await board.emulateMedia({ media: "print" });
  await expect(board.locator("blockquote").first()).toBeVisible();
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

test("the current list is downloaded as a file with its name", async ({ board, inbox }) => {
  await board.goto("/admin?q=موقع&box=any");
  for (const [link, ending, start] of [
    ["تنزيل هذه النتائج: CSV", "csv", '\uFEFF"'],
    ["تنزيل هذه النتائج: JSON", "jsonl", "{"],
  ] as const) {
    const downloaded = board.waitForEvent("download");
    await board.getByRole("link", { name: link }).click();
    const file = await downloaded;
    expect(file.suggestedFilename()).toMatch(
      new RegExp(`^كل-الصناديق-\\d{4}-\\d\\d-\\d\\d\\.${ending}$`),
    );
    const text = await readFile(await file.path(), "utf8");
    expect([text.startsWith(start), text.match(/a@example\.com/g)?.length]).toEqual([true, 4]);
  }
  expect(board.url()).toContain(inbox.site.url);
  await expect(board.getByRole("searchbox")).toHaveValue("موقع");
});

test("a box is emptied only after a confirmation", async ({ board, inbox }) => {
  await inbox.sql(`
    insert into public.contact_messages (name, email, message, spam_signs)
    select 'مزعج', 'b@example.com', 'x' || random(), array['trap'] from generate_series(1, 11)`);
  await board.goto("/admin?box=spam");
  const link = board.getByRole("link", { name: "إفراغ الصندوق" });
  await link.click();
  await expect(board.getByRole("heading", { name: "إفراغ المزعجة" })).toBeVisible();
  await board.getByRole("link", { name: "رجوع إلى اللوحة" }).click();
  await expect(board.getByRole("article")).not.toHaveCount(0);
  await link.click();
  await expect(board.getByText("لا يمكن التراجع")).toBeVisible();
  await board.getByRole("button", { name: "حذف نهائيًا" }).click();
  await expect(board.getByText(/حُذفت نهائيًا: ١[١٢] رسالة/)).toBeVisible();
  await expect(board.getByText("لا رسائل مزعجة")).toBeVisible();
  await expect(board.getByRole("article")).toHaveCount(0);
  await expect(link).toHaveCount(0);
});
