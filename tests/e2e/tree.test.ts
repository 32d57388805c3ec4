import { card, toggle, useBoard } from "#tests/support/browser/board.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const board = useBoard();

test("a screen reader meets the board's parts by their names, in the order of the page", async () => {
  await board.store(["نورة", "سعد"], { phone: "966501234567", note: "تتصل غدًا" });
  const page = await board.open({ viewport: { width: 390, height: 844 } });
  await expect(page.locator(".board")).toMatchAriaSnapshot(`
    - banner:
      - heading "لوحة الرسائل" [level=1]
      - status
      - navigation "الحساب":
        - link "الرئيسية"
        - link "حسابي"
        - button "تسجيل الخروج"
      - navigation "الصناديق":
        - link /الرسائل/
        - link /بانتظار ردك/
        - link "المؤرشفة"
        - link "المزعجة"
        - link "سلة المهملات"
    - status: الرسائل
    - main:
      - search:
        - searchbox "كلمات البحث"
        - button "بحث"
        - checkbox "تحديد"
      - list "الرسائل":
        - listitem:
          - article "نورة"
        - listitem:
          - article "سعد"
  `);
});

test("a message is read out as a row, then with what is done with it", async () => {
  await board.store(["نورة", "سعد"], { phone: "966501234567", note: "تتصل غدًا" });
  const page = await board.open({ viewport: { width: 390, height: 844 } });
  const noura = card(page, "نورة");
  const row = `
    - heading "نورة" [level=2]
    - link "visitor-0@example.com"
    - time`;
  await expect(noura).toMatchAriaSnapshot(`${row}
    - group
    - link "ردّ بواتساب"
    - button "تم الرد"
    - button "أرشفة"
    - paragraph: نورة 0
    - blockquote: "ملاحظتك: تتصل غدًا"
  `);
  await toggle(noura);
  await expect(noura).toMatchAriaSnapshot(`${row}
    - group
    - paragraph: +966 50 123 4567
    - link "ردّ بواتساب"
    - link "ردّ بالبريد"
    - button "تم الرد"
    - button "أرشفة"
    - button "حذف"
    - button "مزعجة"
    - paragraph: نورة 0
    - blockquote: "ملاحظتك: تتصل غدًا"
    - heading "ردود جاهزة" [level=3]
    - list
    - group:
      - textbox "ملاحظة لك وحدك": تتصل غدًا
      - button "حفظ الملاحظة"
  `);
});

test("the keyboard goes from a row through its sheet to the next row", async () => {
  await board.store(["نورة", "سعد"]);
  const page = await board.open();
  await toggle(card(page, "نورة"));
  const walked: string[] = [];
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press("Tab");
    const here = await page.evaluate(() => {
      const { activeElement: element } = document;
      return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
    });
    walked.push(here);
    if (here === "فتح رسالة سعد") {
      break;
    }
  }
  const [first, second, ...rest] = walked;
  expect([first, second]).toEqual(["ردّ بالبريد", "تم الرد"]);
  expect(rest.slice(-4)).toEqual([
    "حفظ الملاحظة",
    "تحديد رسالة سعد",
    "visitor-1@example.com",
    "فتح رسالة سعد",
  ]);
});
