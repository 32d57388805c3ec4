import type { Locator } from "playwright/test";
import {
  action,
  bar,
  card,
  cookiesOf,
  noteIn,
  openMessage,
  pane,
  press,
  select,
  useBoard,
} from "#tests/support/browser/board.ts";
import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { signedUp } from "#tests/support/visitor.ts";

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

/** The list's top, and the top of the list with the line of the promise, in a window of this size. */
const sizes: [width: number, height: number, top: number, rows: number][] = [
  [360, 780, 201, 4],
  [768, 1024, 197, 7],
  [1024, 768, 173, 4],
  [1440, 900, 117, 6],
];

for (const [width, height, top, rows] of sizes) {
  test(`${width} x ${height} shows ${rows} messages at once, and one row of actions @once`, async () => {
    await fill();
    const page = await board.open({ viewport: { width, height } });
    const boxes = await page.getByRole("article").all();
    const { y: first = 0 } = (await boxes[0]?.boundingBox()) ?? {};
    expect(first).toBeLessThanOrEqual(top);
    let seen = 0;
    for (const box of boxes) {
      const { y = 0, height: tall = 0 } = (await box.boundingBox()) ?? {};
      seen += Number(y + tall <= height);
    }
    expect(seen).toBeGreaterThanOrEqual(rows);
    await select(page, "نورة السالم 0", "نورة السالم 12");
    await expect(bar(page)).toBeInViewport({ ratio: 1 });
    expect(await linesOf(bar(page).getByRole("button"))).toBe(1);
    await page.goto("/admin");
    await openMessage(page, "نورة السالم 0");
    const actions = pane(page).getByRole("group", { name: "إجراءات الرسالة" });
    expect(await linesOf(actions.getByRole("button"))).toBe(1);
    await expect(actions).toBeInViewport({ ratio: 1 });
  });
}

/** In how many lines these controls stand. */
const linesOf = async (controls: Locator) =>
  new Set(await controls.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom)))
    .size;

test("a row has two stops of the keyboard @once", async () => {
  await fill(2);
  const page = await board.open();
  for (const width of [360, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await select(page);
    const stops = card(page, "نورة السالم 1").locator("a:not([tabindex]), button, input");
    await expect(stops).toHaveCount(2);
    await page.goto("/admin");
  }
});

test("axe finds nothing in any state @scripts", async () => {
  await fill(8);
  // High enough that the bar covers nothing: axe reports a covered link as too small.
  const page = await board.open({ viewport: { width: 1280, height: 4000 } });
  await expectGoodLooks(page, "the board");
  await select(page, "نورة السالم 0");
  await openMessage(page, "نورة السالم 7");
  await expectGoodLooks(page, "chosen and opened");
  await press(page, "نورة السالم 2", "تم الرد");
  await expect(card(page, "نورة السالم 2").getByText("تم الرد")).toBeVisible();
  await expectGoodLooks(page, "the notice");
  await openMessage(page, "نورة السالم 1");
  await noteIn(page).fill("ن".repeat(2001));
  await pane(page).getByRole("button", { name: "حفظ الملاحظة" }).click();
  await expect(noteIn(page)).toHaveAttribute("aria-invalid");
  await expectGoodLooks(page, "a refused note");
  for (const query of ["box=spam", "box=trash", "q=نورة"]) {
    await page.goto(`/admin?${query}`);
    await expectGoodLooks(page, query);
  }
  await page.setViewportSize({ width: 360, height: 6000 });
  await page.goto("/admin");
  await select(page, "نورة السالم 0");
  await expectGoodLooks(page, "a phone");
  await page.goto("/admin");
  await openMessage(page, "نورة السالم 7");
  await expect(action(page, "أرشفة")).toBeVisible();
  await expectGoodLooks(page, "an open message on a phone");
});

test("axe finds nothing where there is little to show, nor where something failed @scripts", async () => {
  await fill(2);
  const page = await board.open({ viewport: { width: 1280, height: 4000 } });
  await expect(liveBadge(page)).toBeVisible();
  const row = { name: "ريم", email: "reem@example.com", message: "سلام" };
  await storeMessages(board.site.dataDir, [row]);
  await expect(page.getByText("رسالة جديدة!")).toBeVisible();
  await expectGoodLooks(page, "a live message");
  // The shade of the dialog would lie over the notices.
  const closing = page.getByRole("button", { name: "إغلاق الإشعار" });
  // Or they go by themselves.
  await expect(async () => {
    for (const one of (await closing.all()).toReversed()) {
      await one.click({ timeout: 1000 });
    }
    await expect(closing).toHaveCount(0);
  }).toPass();
  await card(page, "ريم").getByRole("link").first().focus();
  await page.keyboard.press("Shift+Slash");
  await expect(page.getByRole("dialog", { name: "مفاتيح اللوحة" })).toBeVisible();
  await expectGoodLooks(page, "the keys");
  await page.keyboard.press("Escape");
  await page.route(/admin\.data/, (route) => route.abort());
  await press(page, "ريم", "أرشفة");
  await expect(page.getByRole("alert")).toContainText("انقطع الاتصال بالموقع");
  await expectGoodLooks(page, "a failed action and a failed load");
  await page.unroute(/admin\.data/);
  await page.goto("/admin?open=11111111-1111-4111-8111-111111111111");
  await expectGoodLooks(page, "an unknown message");
  await board.store(["عرض"], { spam_signs: ["links"] });
  await page.goto("/admin?box=spam");
  await openMessage(page, "عرض");
  await expectGoodLooks(page, "an open message of the spam");
  await deleteMessages(board.site.dataDir);
  await page.goto("/admin");
  await expect(page.getByText("لا توجد رسائل بعد")).toBeVisible();
  await expectGoodLooks(page, "an empty inbox");
  const { cookies } = await signedUp(board.site);
  await page.context().addCookies(cookiesOf({ site: board.site, owner: { cookies } }));
  await page.goto("/admin");
  await expect(page.getByText("هذا الصندوق لصاحب الموقع وحده")).toBeVisible();
  await expectGoodLooks(page, "a closed board");
});
