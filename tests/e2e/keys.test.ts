import type { Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import { card, toggle, useBoard } from "#tests/support/browser/board.ts";
import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";

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

test("a question mark shows the keys, and they can be turned off for good @scripts", async () => {
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
});
