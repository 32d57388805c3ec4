import { owner } from "#app/content/owner.ts";
import { card, openMessage, pane, press, rowLink, useBoard } from "#tests/support/browser/board.ts";
import { expect, liveBadge, submitCredentials, test } from "#tests/support/browser/test.ts";
import { storeMessages } from "#tests/support/messages.ts";

// The board as a screen reader meets it.

const board = useBoard();

const names = ["نورة", "سعد", "ليلى"];
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
test("a screen reader meets the board's parts, a row and an open message by their names, in the order of the page", async () => {
  test.skip(!owner.promise || !owner.replies?.length, "The content has no promise or no reply.");
  await board.store(names, { phone: "966501234567", note: "تتصل غدًا" });
  const page = await board.open({ viewport: { width: 1440, height: 900 } });
  await expect(liveBadge(page)).toBeVisible();
  await expect(page.locator(".board")).toMatchAriaSnapshot(`
    - banner:
      - heading "لوحة الرسائل" [level=1]
      - status: مباشر
      - navigation "الصناديق":
        - link /الرسائل/
        - link /بانتظار ردك/
        - link "المؤرشفة"
        - link "المزعجة"
        - link "المهملات"
      - navigation "الحساب":
        - button "مفاتيح اللوحة"
        - link "الرئيسية"
        - link "حسابي"
        - group:
          - button "تسجيل الخروج"
    - status: الرسائل
    - main:
      - search:
        - searchbox "كلمات البحث"
        - button "بحث"
        - link "تحديد"
        - status
      - list "الرسائل":
        - listitem:
          - article "نورة"
        - listitem:
          - article "سعد"
        - listitem:
          - article "ليلى"
        - listitem:
          - link "لا أحد تحت الخط"
      - complementary "ما فوق الخط في موعده، وما تحته تأخّر."
  `);

  await expect(card(page, "نورة")).toMatchAriaSnapshot(`
    - checkbox "تحديد رسالة نورة"
    - heading "نورة" [level=2]:
      - link "نورة"
    - paragraph: /لها ملاحظة، الرد .+/
    - paragraph:
      - link "visitor-0@example.com"
      - time
    - paragraph: نورة 0
  `);
  await expect(rowLink(page, "نورة")).toHaveAccessibleDescription(/^الرد /);

  await openMessage(page, "نورة");
  await expect(rowLink(page, "نورة")).toHaveAttribute("aria-current", "true");
  await expect(pane(page)).toHaveAccessibleName("نورة");
  await expect(pane(page)).toMatchAriaSnapshot(`
    - heading "نورة" [level=2]
    - link "إغلاق"
    - paragraph:
      - link "visitor-0@example.com"
      - link "+966 50 123 4567"
      - time
    - paragraph: /^الرد /
    - group "إجراءات الرسالة":
      - link "ردّ بواتساب"
      - link "ردّ بالبريد"
      - button "تم الرد"
      - button "أرشفة"
      - button "حذف"
      - button "مزعجة"
    - paragraph: نورة 0
    - textbox "ملاحظة لك وحدك": تتصل غدًا
    - button "حفظ الملاحظة"
    - status
    - heading "ردود جاهزة" [level=3]
    - list
  `);
});

test("results are spoken by regions that are there before, and toasts come last", async () => {
  await board.store(names);
  const page = await board.open({ viewport: { width: 1440, height: 900 } });
  await expect(liveBadge(page)).toBeVisible();
  const [spoken, chosen] = [page.locator(".dock > [role=status]"), page.locator(".dock output")];
  for (const region of [spoken, chosen]) {
    await expect(region).toBeEmpty();
    await region.evaluate((element) => element.setAttribute("data-before", ""));
  }
  await page.getByRole("checkbox", { name: "تحديد رسالة سعد" }).press("Space");
  await expect(chosen.and(page.locator("[data-before]"))).toHaveText("المحددة: ١");
  await expect(chosen).toHaveAttribute("aria-atomic", "true");
  await press(page, "نورة", "أرشفة");
  await expect(spoken.and(page.locator("[data-before]"))).toContainText("أُرشفت رسالة واحدة");
  const last = page.locator("body > :not(script)").last();
  await expect(last).toHaveAccessibleName("الإشعارات");
});

test("an empty field is not invalid, and an English error is said to be English", async ({
  page,
}) => {
  for (const path of ["/", "/auth"]) {
    await page.goto(path);
    const email = page.getByLabel("البريد الإلكتروني");
    await expect(email).toHaveAttribute("aria-invalid", "false");
  }
  await submitCredentials(page, { email: "a@example.com", password: "wrong one" }, "تسجيل الدخول");
  const region = page.getByRole("region", { name: "الإشعارات" });
  await expect(region.locator("[lang=en]")).toHaveText(/^Invalid login credentials/);
});

test("the list says who is answered late: in the row, by its star, and by one line before it", async () => {
  test.skip(!owner.promise, "The content has no promise.");
  await board.store(names);
  const late = { email: "a@example.com", message: "نص" };
  await storeMessages(board.site.dataDir, [
    { ...late, name: "ريم", created_at: daysAgo(6) },
    { ...late, name: "هدى", created_at: daysAgo(20) },
  ]);
  const page = await board.open({ viewport: { width: 360, height: 780 } });
  await expect(card(page, "نورة").locator(".star")).not.toHaveAttribute("data-late");
  await expect(card(page, "ريم").locator(".star")).toHaveAttribute("data-late");
  await expect(rowLink(page, "ريم")).toHaveAccessibleDescription(/^متأخرة منذ /);
  const items = page.getByRole("list", { name: "الرسائل" }).getByRole("listitem");
  await expect(items).toHaveText([/نورة/, /سعد/, /ليلى/, /^الآن، /, /ريم/, /هدى/]);
  await expect(items.nth(3).getByRole("link")).toHaveAccessibleName(
    /^الآن، .*تحته واحد، وواحد من قبل ?، تأخر الرد$/,
  );
});
