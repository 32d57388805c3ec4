import type { Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import { card, press, toggle, useBoard } from "#tests/support/browser/board.ts";
import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import { expect, leaveMessage, liveBadge, newMessage, test } from "#tests/support/browser/test.ts";

const board = useBoard();

const names = ["نورة", "سعد", "ليلى", "ريم"];

async function open(): Promise<Page> {
  await board.store(names);
  const page = await board.open();
  await expect(liveBadge(page)).toBeVisible();
  return page;
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

const opener = (page: Page, name: string) => card(page, name).locator("summary");

const isOpen = (page: Page, name: string) =>
  expect(card(page, name).locator("details")).toHaveAttribute("open");

test("an owner reads, answers, archives and takes back by keys alone @scripts", async () => {
  const page = await open();
  await page.keyboard.press("j");
  await expect(opener(page, "نورة")).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await isOpen(page, "سعد");
  await page.keyboard.press("k");
  await isOpen(page, "نورة");
  await expect(opener(page, "نورة")).toBeFocused();

  await page.keyboard.press("d");
  await expect(notice(page, "تم الرد على رسالة واحدة")).toBeVisible();
  await isOpen(page, "سعد");
  await expect(opener(page, "سعد")).toBeFocused();
  await page.keyboard.press("e");
  await expect(notice(page, "أُرشفت رسالة واحدة")).toBeVisible();
  await isOpen(page, "ليلى");
  await expect(opener(page, "ليلى")).toBeFocused();
  await expect(card(page, "سعد")).toHaveCount(0);
  await page.keyboard.press("z");
  await expect(card(page, "سعد")).toHaveCount(1);

  await page.keyboard.press("x");
  await expect(card(page, "ليلى").getByRole("checkbox")).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(page.locator("details[open]")).toHaveCount(0);
  await expect(opener(page, "ليلى")).toBeFocused();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
});

test("the keys work by their place with an Arabic layout, and not in a field @scripts", async () => {
  const page = await open();
  await pressArabic(page, "KeyJ", "ت");
  await expect(opener(page, "نورة")).toBeFocused();
  await pressArabic(page, "Slash", "ظ");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("jex/?");
  await expect(page.getByRole("searchbox")).toHaveValue("jex/?");
  await expect(page.getByRole("article")).toHaveCount(names.length);
  await toggle(card(page, "سعد"));
  const note = card(page, "سعد").getByLabel("ملاحظة لك وحدك");
  await note.pressSequentially("je");
  await expect(note).toHaveValue("je");
});

test("R replies by the better way @scripts", async () => {
  await board.store(["نورة"], { phone: "966501234567" });
  const page = await board.open();
  await expect(liveBadge(page)).toBeVisible();
  await page.context().route("https://wa.me/**", (route) => route.fulfill({ body: "WhatsApp" }));
  const opened = page.context().waitForEvent("page");
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  expect((await opened).url()).toContain("wa.me/966501234567");
});

test("a question mark shows the keys, and they can be turned off for good, and on again @scripts", async () => {
  const page = await open();
  await page.keyboard.press("Shift+Slash");
  const help = page.getByRole("dialog", { name: "مفاتيح اللوحة" });
  await expect(help).toBeVisible();
  await expectGoodLooks(page, "the keys");
  await help.getByRole("button", { name: "إغلاق" }).click();
  await expect(help).toHaveCount(0);
  await page.keyboard.press("Shift+Slash");
  await help.getByRole("link", { name: "إيقاف المفاتيح" }).click();
  await page.getByRole("button", { name: "إيقاف مفاتيح اللوحة" }).click();
  await expect(notice(page, "أُوقفت مفاتيح اللوحة")).toBeVisible();
  await page.goto("/admin");
  await expect(liveBadge(page)).toBeVisible();
  await page.keyboard.press("j");
  await expect(opener(page, "نورة")).not.toBeFocused();
  await opener(page, "نورة").focus();
  await page.keyboard.press("Enter");
  await isOpen(page, "نورة");
  await page.goto("/account");
  await page.getByRole("button", { name: "تشغيل مفاتيح اللوحة" }).click();
  await expect(notice(page, "شُغّلت مفاتيح اللوحة")).toBeVisible();
});

test("after an action the next card, or the last one left, is open and has the focus", async () => {
  await board.store(names.slice(0, 3));
  const page = await board.open();
  for (const [name, next] of [
    ["سعد", "ليلى"],
    ["ليلى", "نورة"],
    ["نورة", undefined],
  ] as const) {
    await press(card(page, name), "أرشفة");
    await expect(card(page, name)).toHaveCount(0);
    const said = notice(page, "أُرشفت رسالة واحدة");
    await expect(said).toBeInViewport();
    if (next === undefined) {
      await expect(said).toBeFocused();
      continue;
    }
    // It is open, and a screen reader reads out what was done with it.
    const opened = card(page, next).locator("summary");
    await expect(opened).toBeFocused();
    await expect(opened).toHaveAccessibleDescription(/أُرشفت رسالة واحدة/);
    await expect(card(page, next).locator("details")).toHaveAttribute("open");
  }
});

test("a screen reader hears how many messages are chosen @scripts", async () => {
  await board.store(names.slice(0, 3));
  const page = await board.open();
  const told = page.getByRole("status").filter({ hasText: "المحددة" });
  const boxes = page.getByRole("article").getByRole("checkbox");
  await expect(told).toHaveCount(0);
  await boxes.nth(0).press("Space");
  await expect(told).toHaveText("المحددة: ١");
  await boxes.nth(1).press("Space");
  await expect(told).toHaveText("المحددة: ٢");
  await page.getByRole("button", { name: "تحديد الكل" }).press("Enter");
  await expect(told).toHaveText("المحددة: ٣");
  // A message that leaves the list is no longer chosen.
  await press(card(page, "سعد"), "أرشفة");
  await expect(told).toHaveText("المحددة: ٢");
  await page.locator(".sort-bar").getByRole("button", { name: "تم الرد" }).click();
  await expect(notice(page, "تم الرد على رسالتين")).toBeFocused();
  await expect(told).toHaveCount(0);
});

test("a press while another action is sent is carried out after it, a double click once @scripts", async () => {
  await board.store(names.slice(0, 3));
  // Where closed messages show their buttons.
  const page = await board.open({ viewport: { width: 768, height: 900 } });
  const sent: string[] = [];
  const gate = Promise.withResolvers<void>();
  await page.route(/\/admin\.data/, async (route) => {
    if (route.request().method() === "POST") {
      sent.push(route.request().postData() ?? "");
      await gate.promise;
    }
    await route.continue();
  });
  const archive = (name: string) => card(page, name).getByRole("button", { name: "أرشفة" });
  await archive("نورة").dblclick();
  await archive("ليلى").click();
  await archive("سعد").click();
  expect(sent).toHaveLength(1);
  gate.resolve();
  await expect(page.getByRole("article")).toHaveCount(0);
  const actions = sent.filter((body) => body.includes("archive"));
  expect(actions).toHaveLength(3);
});

test("all messages of a board that has grown beyond a page can be chosen and archived @scripts", async () => {
  await board.store(Array.from({ length: 50 }, (_, index) => `زائر ${index}`));
  const page = await board.open();
  await expect(liveBadge(page)).toBeVisible();
  await leaveMessage(page.context(), newMessage());
  await expect(page.getByRole("article")).toHaveCount(51);
  await page.getByRole("article").getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "تحديد الكل" }).click();
  await expect(page.locator(".sort-bar")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "المحددة" })).toHaveText("المحددة: ٥١");
  await page.locator(".sort-bar").getByRole("button", { name: "أرشفة" }).click();
  await expect(notice(page, "أُرشفت ٥١ رسالة")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(0);
});
