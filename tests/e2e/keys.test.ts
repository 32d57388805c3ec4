import type { Locator, Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import {
  bar,
  card,
  expectOpen,
  noteIn,
  openMessage,
  pane,
  rowLink,
  useBoard,
} from "#tests/support/browser/board.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";

const board = useBoard();

const names = ["نورة", "سعد", "ليلى", "ريم"];

async function open(viewport = { width: 1440, height: 900 }): Promise<Page> {
  await board.store(names, { phone: "966501234567", note: "تتصل غدًا" });
  const page = await board.open({ viewport });
  await expect(liveBadge(page)).toBeVisible();
  return page;
}

/** Presses Tab, or Shift+Tab, until an element has the focus. */
async function tabTo(page: Page, target: Locator, most = 40, key = "Tab") {
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let step = 0; step < most; step += 1) {
    await page.keyboard.press(key);
    if (await isThere()) {
      return;
    }
  }
  throw new Error(`Tab did not reach ${String(target)}`);
}

/** Presses a key by its place, as an Arabic layout names it. */
const pressArabic = (page: Page, code: string, key: string) =>
  page.evaluate(
    (init) =>
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent("keydown", { ...init, bubbles: true, cancelable: true }),
      ),
    { code, key },
  );

const heading = (page: Page, name: string) => pane(page).getByRole("heading", { name });

test("an owner reads, writes a note, answers and takes back by Tab and Enter", async () => {
  const page = await open();
  await tabTo(page, page.getByRole("checkbox", { name: "تحديد رسالة نورة" }));
  // Two stops in each row.
  await tabTo(page, rowLink(page, "نورة"), 1);
  await page.keyboard.press("Enter");
  await expect(heading(page, "نورة")).toBeFocused();
  // The replies, the actions and the note come in this order.
  for (const [role, name] of [
    ["link", "إغلاق"],
    ["link", "visitor-0@example.com"],
    ["link", "ردّ بالبريد"],
    ["button", "تم الرد"],
    ["textbox", "ملاحظة لك وحدك"],
  ] as const) {
    await tabTo(page, pane(page).getByRole(role, { name, exact: true }), 10);
  }
  await page.keyboard.type(" صباحًا");
  await expect(pane(page).getByText("لم تُحفظ بعد")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(notice(page, "حُفظت الملاحظة")).toBeVisible();
  await expect(noteIn(page)).toHaveValue(/صباحًا/);
  await expect(pane(page).getByRole("button", { name: "حفظ الملاحظة" })).toBeFocused();
  await page.keyboard.press("d");
  await expect(notice(page, "تم الرد على رسالة واحدة")).toBeVisible();

  // Enter on the open row and its skip link both lead to the message.
  await rowLink(page, "سعد").click();
  await expectOpen(page, "سعد");
  await expect(rowLink(page, "سعد")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(heading(page, "سعد")).toBeFocused();
  await rowLink(page, "سعد").focus();
  await tabTo(page, page.getByRole("link", { name: "إلى الرسالة المفتوحة" }), 1);
  await page.keyboard.press("Enter");
  await expect(heading(page, "سعد")).toBeFocused();
  await tabTo(page, pane(page).getByRole("button", { name: "أرشفة" }));
  await page.keyboard.press("Enter");
  await expect(card(page, "سعد")).toHaveCount(0);
  await tabTo(page, page.getByRole("button", { name: "تراجع" }), 10, "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(card(page, "سعد")).toHaveCount(1);
});

test("a whole box is archived by Tab, Space and Enter", async () => {
  await board.store(Array.from({ length: 60 }, (_, index) => `رسالة ${index}`));
  const page = await board.open();
  await page.getByRole("link", { name: "تحديد", exact: true }).press("Enter");
  await expect(bar(page)).toBeVisible();
  await tabTo(page, bar(page).getByRole("button", { name: "الكل" }));
  await page.keyboard.press("Enter");
  await tabTo(page, bar(page).getByRole("checkbox"));
  await page.keyboard.press("Space");
  await tabTo(page, bar(page).getByRole("button", { name: "أرشفة" }), 5, "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(notice(page, "أُرشفت ٦٠ رسالة")).toBeVisible();
});

test("an owner reads, answers, archives and takes back by keys alone", async () => {
  const page = await open();
  await expect(page.getByRole("list", { name: "الرسائل" })).toBeFocused();
  // The list did not ask for the focus: from there no key changes a message.
  for (const key of ["e", "d", "x", "r"]) {
    await page.keyboard.press(key);
  }
  await expect(page).not.toHaveURL(/open=/);
  await page.keyboard.press("NumpadEnter");
  await expectOpen(page, "نورة");
  await page.goto("/admin");
  await expect(page.locator("#list")).toBeFocused();
  await page.keyboard.press("j");
  await expect(rowLink(page, "نورة")).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expectOpen(page, "سعد");
  await expect(heading(page, "سعد")).toBeFocused();
  await pane(page).getByText("سعد 1").click();
  await page.keyboard.press("k");
  await expectOpen(page, "نورة");
  await expect(rowLink(page, "نورة")).toBeFocused();

  await page.keyboard.press("d");
  await expect(notice(page, "تم الرد على رسالة واحدة")).toBeVisible();
  await expectOpen(page, "سعد");
  await expect(rowLink(page, "سعد")).toBeFocused();
  await page.keyboard.down("e");
  await expect(notice(page, "أُرشفت رسالة واحدة")).toBeVisible();
  await expectOpen(page, "ليلى");
  // A key that is held does no more.
  for (let count = 0; count < 5; count += 1) {
    await page.keyboard.down("e");
  }
  await page.keyboard.up("e");
  await expect(card(page, "سعد")).toHaveCount(0);
  await page.keyboard.press("z");
  await expect(card(page, "سعد")).toHaveCount(1);
  await expect(page.getByRole("article")).toHaveCount(names.length);

  await rowLink(page, "ليلى").focus();
  await page.keyboard.press("x");
  await expect(card(page, "ليلى").getByRole("checkbox")).toBeChecked();
  await expect(bar(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/open=/);
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
});

test("N leads behind the note, which is saved in three more presses", async () => {
  const page = await open();
  await page.keyboard.press("j");
  await page.keyboard.press("n");
  await expectOpen(page, "نورة");
  await page.keyboard.press("n");
  await expect(noteIn(page)).toBeFocused();
  await page.keyboard.type(" صباحًا");
  await expect(noteIn(page)).toHaveValue("تتصل غدًا صباحًا");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(notice(page, "حُفظت الملاحظة")).toBeVisible();
});

test("a search by keys leads to its results, and Escape in an empty field to the list", async () => {
  const page = await open();
  const field = page.getByRole("searchbox");
  const list = page.getByRole("list", { name: "الرسائل" });
  await page.keyboard.press("/");
  await page.keyboard.type("سعد");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(list).toBeFocused();
  await page.keyboard.press("j");
  await expect(rowLink(page, "سعد")).toBeFocused();
  await page.keyboard.press("/");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("article")).toHaveCount(names.length);
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(list).toBeFocused();
  await page.keyboard.press("/");
  await page.keyboard.type("ليس هنا");
  await page.keyboard.press("Enter");
  await expect(page.getByText("لا نتائج في «الرسائل».")).toBeVisible();
  await expect(field).toBeFocused();
});

test("the keys work by their place with an Arabic layout, and neither in a field nor outside of the list", async () => {
  const page = await open();
  await rowLink(page, "نورة").focus();
  await pressArabic(page, "KeyJ", "ت");
  await expect(rowLink(page, "سعد")).toBeFocused();
  await pressArabic(page, "Slash", "ظ");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("jex/?");
  await expect(page.getByRole("searchbox")).toHaveValue("jex/?");
  await openMessage(page, "سعد");
  await noteIn(page).fill("");
  await noteIn(page).pressSequentially("je?");
  await expect(noteIn(page)).toHaveValue("je?");
  await page.getByRole("link", { name: "حسابي" }).focus();
  for (const key of ["e", "d", "j", "Escape", "x", "/"]) {
    await page.keyboard.press(key);
  }
  await expect(page.getByRole("link", { name: "حسابي" })).toBeFocused();
  await expectOpen(page, "سعد");
  await expect(page.getByRole("article")).toHaveCount(names.length);
});

test("on a phone J and K go through the messages, and Escape back to the list", async () => {
  const page = await open({ width: 360, height: 740 });
  await openMessage(page, "نورة");
  await page.keyboard.press("j");
  await expectOpen(page, "سعد");
  await expect(heading(page, "سعد")).toBeFocused();
  await page.keyboard.press("k");
  await expectOpen(page, "نورة");
  await page.keyboard.press("Escape");
  await expect(rowLink(page, "نورة")).toBeFocused();
});

test("a question mark shows the keys, and so does the rail, and Escape closes what is open above the list", async () => {
  const page = await open();
  await rowLink(page, "نورة").focus();
  // By its sign: it lies elsewhere on many layouts.
  await pressArabic(page, "KeyM", "؟");
  const help = page.getByRole("dialog", { name: "مفاتيح اللوحة" });
  await expect(help.getByRole("button", { name: "إغلاق" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(help).toHaveCount(0);
  await expect(rowLink(page, "نورة")).toBeFocused();
  await page.keyboard.press("Shift+Slash");
  await expect(help).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);
  await page.getByRole("button", { name: "مفاتيح اللوحة" }).click();
  await expect(help).toBeVisible();
  await page.keyboard.press("Escape");
  const more = page.locator("summary", { hasText: "المزيد" });
  await more.press("Enter");
  await tabTo(page, page.getByRole("link", { name: "Excel" }), 1);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: "Excel" })).toHaveCount(0);
  await expect(more).toBeFocused();
});

test("a press while another action is sent does nothing", async () => {
  const page = await open();
  const sent: string[] = [];
  const gate = Promise.withResolvers<void>();
  await page.route(/\/admin\.data/, async (route) => {
    if (route.request().method() === "POST") {
      sent.push(route.request().postData() ?? "");
      await gate.promise;
    }
    await route.continue();
  });
  await openMessage(page, "نورة");
  const asked = page.waitForRequest((request) => request.method() === "POST");
  await page.keyboard.press("e");
  await asked;
  await page.keyboard.press("e");
  await page.keyboard.press("d");
  expect(sent).toHaveLength(1);
  gate.resolve();
  await expect(card(page, "نورة")).toHaveCount(0);
  await expect(page.getByRole("article")).toHaveCount(names.length - 1);
  expect(sent.filter((body) => body.includes("archive"))).toHaveLength(1);
});
