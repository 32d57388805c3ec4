import type { Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import { openMessage, pane, useBoard } from "#tests/support/browser/board.ts";
import { passSeconds, untilReadAgain } from "#tests/support/browser/clock.ts";
import {
  cardOf,
  expect,
  journey,
  liveBadge,
  newMessage,
  postMessages,
  test,
} from "#tests/support/browser/test.ts";
import { storeMessages } from "#tests/support/messages.ts";

const board = useBoard();

/** The owner's reads fail from now on, or work again. */
const setFault = (isOn: boolean) =>
  board.sql(
    isOn
      ? `insert into private.broken values ('${board.account.email}')`
      : "delete from private.broken",
  );
test.afterEach(() => setFault(false));

test("a card shows sender, time and text as written", async ({ request }) => {
  await board.store([]);
  const text = {
    ...newMessage("<b>Mona</b> & منى"),
    message: "السلام عليكم ورحمة الله\n\nالسطر الأول\n\nLine two <script>\n  ٣",
  };
  await postMessages(request, board.site, [text]);
  const page = await board.open();
  const card = cardOf(page, text);
  const mail = `mailto:${text.email}`;
  await expect(card.getByRole("link", { name: text.email })).toHaveAttribute("href", mail);
  // Its beginning, for which a greeting needs no place, and the line that follows.
  await expect(card.getByText("السطر الأول")).toBeVisible();
  const { height = 0 } = (await card.boundingBox()) ?? {};
  expect(height).toBeLessThanOrEqual(111);

  await openMessage(page, text.name);
  await expect(pane(page).getByRole("link", { name: text.email })).toHaveAttribute("href", mail);
  const body = pane(page).getByText("السطر الأول");
  expect(await body.evaluate(({ textContent }) => textContent)).toBe(text.message);
  await expect(body).toHaveCSS("white-space", "pre-wrap");
  // Lines of both languages stand at the message's side.
  const sides = await body.evaluate((element) => {
    const { right } = element.getBoundingClientRect();
    const node = element.firstChild as Text;
    return ["السطر الأول", "Line two <script>"].map((line) => {
      const range = document.createRange();
      range.setStart(node, node.data.indexOf(line));
      range.setEnd(node, node.data.indexOf(line) + line.length);
      return range.getBoundingClientRect().right > right - 1;
    });
  });
  expect(sides).toEqual([true, true]);
  expect((await card.boundingBox())?.height).toBe(height);
  const time = card.locator("time");
  const date = new Date((await time.getAttribute("datetime")) ?? "");
  expect(Math.abs(Date.now() - date.getTime())).toBeLessThan(60_000);
  const shown = new Intl.DateTimeFormat("ar-SA-u-ca-gregory-nu-arab", {
    dateStyle: "long",
    timeZone: "Asia/Riyadh",
  }).format(date);
  await expect(time).toContainText(shown);
});

test("an empty inbox says so, and a full one loads page by page", async () => {
  await board.store([]);
  const page = await board.open();
  await expect(page.getByText("لا توجد رسائل بعد")).toBeVisible();
  const boxes = page.getByRole("navigation", { name: "الصناديق" }).getByRole("link");
  await expect(boxes).toHaveText(["الرسائل", "بانتظار ردك", "المؤرشفة", "المزعجة", "المهملات"]);

  const count = 70;
  const texts = Array.from({ length: count }, (_, index) => ({
    name: `رقم ${index + 1}`,
    email: "many@example.com",
    message: `رسالة ${index + 1}`,
    created_at: new Date(Date.now() - (count - index) * 1000),
  }));
  await storeMessages(board.site.dataDir, texts);
  await page.goto("/admin");
  await expect(boxes.first()).toContainText(new Intl.NumberFormat("ar-SA-u-nu-arab").format(count));
  const seen: string[] = [];
  for (const length of [50, 20]) {
    await expect(page.getByRole("article")).toHaveCount(length);
    seen.push(...(await page.getByRole("article").getByRole("heading").allInnerTexts()));
    const older = page.getByRole("link", { name: "رسائل أقدم" });
    if (length === 50) {
      await older.click();
      await expect(page.getByRole("heading", { name: seen.at(-1), exact: true })).toHaveCount(0);
    } else {
      await expect(older).toHaveCount(0);
    }
  }
  expect(seen).toEqual(Array.from({ length: count }, (_, index) => `رقم ${count - index}`));
  await page.getByRole("link", { name: "أحدث الرسائل" }).click();
  await expect(page.getByRole("heading", { name: `رقم ${count}`, exact: true })).toBeVisible();
});

journey(
  "a failed load keeps the loading card, is reported once, and is tried again until it loads",
  async ({ scripts }) => {
    // The fault occurs while a row is read.
    await board.store(["نورة"]);
    const page = await board.open({}, "about:blank");
    await setFault(true);
    await page.clock.install();
    await page.goto("/admin");

    const loading = page.getByText("جاري التحميل...");
    await expect(loading).toBeVisible();
    const toast = notice(page, "خطأ");
    await expect(toast.filter({ hasText: "فشل تحميل الرسائل" })).toBeVisible();
    const again = page.getByRole("link", { name: "إعادة المحاولة" });
    await expect(again).toHaveAttribute("href", "/admin");
    await expect(page.getByText("لا توجد رسائل بعد")).toHaveCount(0);
    if (scripts) {
      for (let retry = 1; retry <= 3; retry += 1) {
        await untilReadAgain(page);
      }
      // Reported once: the first toast has gone, and no further try shows another.
      await expect(toast).toHaveCount(0);
      await expect(loading).toBeVisible();
      await expect(liveBadge(page)).toHaveCount(0);
    }
    await setFault(false);
    await (scripts ? untilReadAgain(page) : again.click());
    await expect(page.getByRole("article")).toHaveCount(1);
    await expect(liveBadge(page)).toHaveCount(scripts ? 1 : 0);
  },
);

const staleLine = (page: Page) => page.getByRole("status").filter({ hasText: "تعذّر تحديث اللوحة" });
const loading = (page: Page) => page.getByText("جاري التحميل...");
const toast = (page: Page) => notice(page, "فشل تحميل الرسائل");

test("the list stays while it cannot be reloaded, and is called stale once", async () => {
  const [text, spam] = [newMessage("قبل العطل"), newMessage("مزعجة")];
  await board.store([]);
  await storeMessages(board.site.dataDir, [{ ...spam, spam_signs: ["trap"] }]);
  await storeMessages(board.site.dataDir, [text]);
  const page = await board.open({}, "about:blank");
  await page.clock.install();
  await page.goto("/admin");
  await expect(liveBadge(page)).toBeVisible();
  await page.getByRole("main").evaluate(() => {
    const status = document.querySelector("header [role=status]");
    const announced: string[] = [];
    Object.assign(window, { announced });
    const note = () => announced.push(status?.textContent ?? "");
    const all = { childList: true, characterData: true, subtree: true };
    new MutationObserver(note).observe(status as Node, all);
  });

  await setFault(true);
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(staleLine(page)).toBeVisible();
  // An earlier version gave up after three tries.
  for (let retry = 1; retry <= 5; retry += 1) {
    await untilReadAgain(page);
  }
  await expect(cardOf(page, text)).toBeVisible();
  await expect(loading(page)).toHaveCount(0);
  await expect(toast(page)).toHaveCount(0);
  const announced: string[] = await page.evaluate(() => Reflect.get(window, "announced"));
  expect(announced.filter((line) => line.includes("تعذّر"))).toHaveLength(1);

  await page.getByRole("link", { name: "المزعجة" }).click();
  await expect(loading(page)).toBeVisible();
  await expect(toast(page)).toBeVisible();
  await expect(cardOf(page, text)).toHaveCount(0);

  await setFault(false);
  await passSeconds(page, 31);
  await expect(loading(page)).toHaveCount(0);
  await expect(staleLine(page)).toHaveCount(0);
  await expect(cardOf(page, spam)).toBeVisible();
  await page
    .getByRole("link", { name: /^الرسائل/ })
    .first()
    .click();
  await expect(cardOf(page, text)).toBeVisible();
});
