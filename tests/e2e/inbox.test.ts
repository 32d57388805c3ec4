import { toggle } from "#tests/support/browser/board.ts";
import {
  cardOf,
  expect,
  leaveMessage,
  liveBadge,
  newAccount,
  newMessage,
  postMessages,
  signUp,
  test,
} from "#tests/support/browser/test.ts";

test("a card shows sender, time and text as written", async ({ page, context }) => {
  const text = {
    ...newMessage("<b>Mona</b> & منى"),
    message: "السطر الأول\n\nLine two <script>\n  ٣",
  };
  await leaveMessage(context, text);
  await signUp(page);
  const card = cardOf(page, text);
  await expect(card.getByRole("link", { name: text.email })).toHaveAttribute(
    "href",
    `mailto:${text.email}`,
  );
  const body = card.locator(".text");
  expect(await body.evaluate(({ textContent }) => textContent)).toBe(text.message);
  // Closed and open, lines of both languages stand at the side of the message's first letter.
  for (const isOpen of [false, true]) {
    if (isOpen) {
      await toggle(card);
    }
    const sides = await body.evaluate((element) => {
      const { right } = element.getBoundingClientRect();
      const node = element.firstChild as Text;
      return ["السطر الأول", "Line two <script>"].map((line) => {
        const range = document.createRange();
        range.setStart(node, node.data.indexOf(line));
        range.setEnd(node, node.data.indexOf(line) + line.length);
        const rect = range.getBoundingClientRect();
        return { isRight: rect.right > right - 1, lines: range.getClientRects().length };
      });
    });
    expect(sides).toEqual([
      { isRight: true, lines: 1 },
      { isRight: true, lines: 1 },
    ]);
  }
  const time = card.locator("time");
  const date = new Date((await time.getAttribute("datetime")) ?? "");
  expect(Math.abs(Date.now() - date.getTime())).toBeLessThan(60_000);
  const shown = new Intl.DateTimeFormat("ar-SA-u-ca-gregory-nu-arab", {
    dateStyle: "long",
    timeZone: "Asia/Riyadh",
  }).format(date);
  await expect(time).toContainText(shown);
});

test("an empty inbox says so, and a full one loads page by page", async ({
  browser,
  scripts,
  start,
}) => {
  test.slow();
  const site = await start();
  const page = await browser.newPage({ baseURL: site.url });
  await signUp(page);
  await expect(page.getByText("لا توجد رسائل بعد")).toBeVisible();
  const boxes = page.getByRole("navigation", { name: "الصناديق" }).getByRole("link");
  await expect(boxes).toHaveText(["الرسائل", "بانتظار ردك", "المؤرشفة", "المزعجة", "سلة المهملات"]);

  const count = 120;
  const texts = Array.from({ length: count }, (_, index) => ({
    name: `رقم ${index + 1}`,
    email: "many@example.com",
    message: `رسالة ${index + 1}`,
  }));
  const statuses = await postMessages(page.request, site, texts);
  expect(statuses).toEqual(texts.map(() => 302));
  if (scripts) {
    await expect(boxes.first()).toContainText(
      new Intl.NumberFormat("ar-SA-u-nu-arab").format(count),
    );
  }
  await page.goto("/admin");
  const seen: string[] = [];
  for (const length of [50, 50, 20]) {
    await expect(page.getByRole("article")).toHaveCount(length);
    seen.push(...(await page.getByRole("heading", { level: 2 }).allInnerTexts()));
    const older = page.getByRole("link", { name: "رسائل أقدم" });
    if (length === 50) {
      await older.click();
    } else {
      await expect(older).toHaveCount(0);
    }
    if (length === 50) {
      await page.waitForURL((url) => url.search.includes("before") && seen.length > 0);
    }
    if (seen.length < count) {
      await expect(page.getByRole("heading", { name: seen.at(-1) })).toHaveCount(0);
    }
  }
  expect(seen).toEqual(Array.from({ length: count }, (_, index) => `رقم ${count - index}`));
  await page.getByRole("link", { name: "أحدث الرسائل" }).click();
  await expect(page.getByRole("heading", { name: `رقم ${count}`, exact: true })).toBeVisible();
});

test("a failed load keeps the loading card, is reported once, and can be tried again", async ({
  page,
  context,
  scripts,
}) => {
  // The fault occurs while a row is read.
  await leaveMessage(context, newMessage());
  const reads: number[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/admin.data")) {
      reads.push(Date.now());
    }
  });
  await page.goto("/auth?mode=sign-up");
  const { email, password } = newAccount("broken");
  await page.getByLabel("البريد الإلكتروني").fill(email);
  await page.getByLabel("كلمة المرور").fill(password);
  await page.getByRole("button", { name: "إنشاء حساب" }).click();
  await expect(page).toHaveURL(/\/admin$/);

  await expect(page.getByText("جاري التحميل...")).toBeVisible();
  const notice = page.getByRole("alert").filter({ hasText: "خطأ" });
  await expect(notice.filter({ hasText: "فشل تحميل الرسائل" })).toBeVisible();
  await expect(page.getByRole("link", { name: "إعادة المحاولة" })).toHaveAttribute(
    "href",
    "/admin",
  );
  await expect(page.getByText("لا توجد رسائل بعد")).toHaveCount(0);
  if (scripts) {
    await expect.poll(() => reads.length).toBeGreaterThanOrEqual(3);
    // Reported once, not with each try. The first toast may have gone by now.
    expect(await notice.count()).toBeLessThanOrEqual(1);
    await expect(page.getByText("جاري التحميل...")).toBeVisible();
    await expect(liveBadge(page)).toHaveCount(0);
  }
});
