import { card, press, useBoard } from "#tests/support/browser/board.ts";
import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const board = useBoard();

const texts = [
  "أريد صفحة هبوط لمتجر عطور مع نموذج طلب. الميزانية ٢٠٠٠ ريال، وأحتاجها خلال أسبوعين.",
  "عندي عيادة أسنان وأحتاج صفحة واحدة فيها المواعيد والخريطة.\nمتى تستطيع البدء؟",
  "كم تكلفة تعديل صفحة جاهزة؟",
  `${"أبحث عن مصمم لصفحة حملة رمضان، والمطلوب صفحة سريعة على الجوال. ".repeat(6)}\n\nشكرًا لك، النهاية`,
];

async function fill(count = 20) {
  await board.store(Array.from({ length: count }, (_, index) => `نورة السالم ${index}`));
  await withSuperuser(board.site.dataDir, async (sql) => {
    for (const [index, message] of texts.entries()) {
      await sql`
        update public.contact_messages set message = ${message}
        where name like ${`%${index + 4}`}`;
    }
  });
}

const sizes: [width: number, height: number, cards: number][] = [
  [1440, 900, 8],
  [360, 740, 3],
];

for (const [width, height, cards] of sizes) {
  test(`${width} x ${height} shows ${cards} messages at once, and the whole bar @once`, async () => {
    await fill();
    const page = await board.open({ viewport: { width, height } });
    const boxes = await page.getByRole("article").all();
    let seen = 0;
    for (const box of boxes) {
      const { y = 0, height: tall = 0 } = (await box.boundingBox()) ?? {};
      seen += Number(y + tall <= height);
    }
    expect(seen).toBeGreaterThanOrEqual(cards);
    await page.getByRole("article").getByRole("checkbox").first().check();
    const bar = page.locator(".sort-bar");
    await expect(bar).toBeInViewport({ ratio: 1 });
    await page.getByRole("article").getByRole("checkbox").nth(12).check();
    await expect(bar).toBeInViewport({ ratio: 1 });
  });
}

test("a long text is cut, and can be shown in full @once", async () => {
  await fill();
  const page = await board.open({
    viewport: { width: 360, height: 740 },
  });
  const long = card(page, "نورة السالم 7");
  const end = async () => {
    const { y = 0, height = 0 } = (await long.boundingBox()) ?? {};
    return { height, bottom: y + height };
  };
  const before = await end();
  expect(before.height).toBeLessThan(230);
  await long.getByText("الرسالة كلها").click();
  expect((await end()).height).toBeGreaterThan(before.height + 150);
  await expect(long.getByText("شكرًا لك، النهاية")).toBeVisible();
  await long.getByText("إخفاء الباقي").click();
  expect((await end()).height).toBe(before.height);
  await expect(card(page, "نورة السالم 6").getByText("الرسالة كلها")).toHaveCount(0);
});

test("axe finds nothing in any state @scripts", async () => {
  await fill(8);
  // High enough that the bar covers nothing: axe reports a covered link as too small.
  const page = await board.open({ viewport: { width: 1280, height: 3000 } });
  await page.getByRole("article").getByRole("checkbox").first().check();
  await card(page, "نورة السالم 1").getByText("المزيد").click();
  await card(page, "نورة السالم 7").getByText("الرسالة كلها").click();
  await expectGoodLooks(page, "chosen and opened");
  await press(card(page, "نورة السالم 2"), "أجبتُه");
  await expect(page.getByText("✓ أُجيبت")).toBeVisible();
  const note = card(page, "نورة السالم 1").getByLabel("ملاحظة لك وحدك");
  await note.fill("ن".repeat(2001));
  await card(page, "نورة السالم 1").getByRole("button", { name: "حفظ الملاحظة" }).click();
  await expect(note).toHaveAttribute("aria-invalid");
  await expectGoodLooks(page, "an answered message and a refused note");
  for (const box of ["waiting", "archived", "spam", "trash"]) {
    await page.goto(`/admin?box=${box}`);
    await expectGoodLooks(page, box);
  }
  await page.setViewportSize({ width: 360, height: 3000 });
  await page.goto("/admin");
  await page.getByRole("article").getByRole("checkbox").first().check();
  await expectGoodLooks(page, "a phone");
});
