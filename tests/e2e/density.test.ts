import type { Locator, Page } from "playwright/test";
import { card, press, toggle, useBoard } from "#tests/support/browser/board.ts";
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
  [1440, 900, 7],
  [360, 780, 3],
];

for (const [width, height, cards] of sizes) {
  test(`${width} x ${height} shows ${cards} messages at once, and the whole bar @once`, async () => {
    await fill();
    const page = await board.open({ viewport: { width, height } });
    const boxes = await page.getByRole("article").all();
    const { y: first = 0 } = (await boxes[0]?.boundingBox()) ?? {};
    expect(first).toBeLessThanOrEqual(160);
    let seen = 0;
    for (const box of boxes) {
      const { y = 0, height: tall = 0 } = (await box.boundingBox()) ?? {};
      seen += Number(y + tall <= height);
    }
    expect(seen).toBeGreaterThanOrEqual(cards);
    await select(page, 0);
    const bar = page.locator(".sort-bar");
    await expect(bar).toBeInViewport({ ratio: 1 });
    await page.getByRole("article").getByRole("checkbox").nth(12).check();
    await expect(bar).toBeInViewport({ ratio: 1 });
  });
}

/** A control that a reader sees; the boxes of the selection are shown on demand. */
const controls = (row: Locator) =>
  row.locator("a, button, input, summary").filter({ visible: true }).count();

test("a closed message has at most five controls, an answered one two, in two panes three @once", async () => {
  await fill();
  await withSuperuser(
    board.site.dataDir,
    (sql) => sql`update public.contact_messages set answered_at = now() where name like '%0'`,
  );
  const page = await board.open();
  for (const width of [360, 390, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.mouse.move(0, 0);
    const isWide = width >= 1024;
    const [waiting, answered] = [
      await controls(card(page, "نورة السالم 1")),
      await controls(card(page, "نورة السالم 10")),
    ];
    expect([width, waiting, answered]).toEqual([width, isWide ? 3 : 5, isWide ? 3 : 2]);
  }
});

/** Selects a message; on a small screen, after asking for it. */
async function select(page: Page, index: number) {
  const mode = page.locator(".select-mode");
  if (await mode.isVisible()) {
    await mode.click();
  }
  await page.getByRole("article").getByRole("checkbox").nth(index).check();
}

test("axe finds nothing in any state @scripts", async () => {
  await fill(8);
  // High enough that the bar covers nothing: axe reports a covered link as too small.
  const page = await board.open({ viewport: { width: 1280, height: 4000 } });
  await expectGoodLooks(page, "the board");
  await select(page, 0);
  await toggle(card(page, "نورة السالم 7"));
  await expectGoodLooks(page, "chosen and opened");
  await press(card(page, "نورة السالم 2"), "تم الرد");
  await expect(card(page, "نورة السالم 2").locator("header").getByText("تم الرد")).toBeVisible();
  await expectGoodLooks(page, "the notice");
  await toggle(card(page, "نورة السالم 1"));
  const note = card(page, "نورة السالم 1").getByLabel("ملاحظة لك وحدك");
  await note.fill("ن".repeat(2001));
  await card(page, "نورة السالم 1").getByRole("button", { name: "حفظ الملاحظة" }).click();
  await expect(note).toHaveAttribute("aria-invalid");
  await expectGoodLooks(page, "a refused note");
  for (const box of ["waiting", "archived", "spam", "trash"]) {
    await page.goto(`/admin?box=${box}`);
    await expectGoodLooks(page, box);
  }
  await page.setViewportSize({ width: 360, height: 6000 });
  await page.goto("/admin");
  await select(page, 0);
  await expectGoodLooks(page, "a phone");
  await page.locator(".select-mode").click();
  await toggle(card(page, "نورة السالم 7"));
  await expectGoodLooks(page, "an open message on a phone");
});
