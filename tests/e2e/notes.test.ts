import type { Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import {
  card,
  expectOpen,
  noteIn,
  openMessage,
  pane,
  press,
  useBoard,
} from "#tests/support/browser/board.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";

const board = useBoard();

const names = ["نورة", "سعد"];
const saved = "حُفظت الملاحظة";

const pressSave = (page: Page) => pane(page).getByRole("button", { name: "حفظ الملاحظة" }).click();

async function write(page: Page, text: string, name = "سعد") {
  await openMessage(page, name);
  await noteIn(page).fill(text);
}

async function save(page: Page, text: string) {
  await write(page, text);
  await pressSave(page);
  await expect(notice(page, saved)).toBeVisible();
}

test("a note is saved, deleted, and refused with its text when it is too long", async () => {
  await board.store(names);
  const page = await board.open();
  await save(page, "يريد التسليم قبل رمضان");
  await expect(noteIn(page)).toHaveValue("يريد التسليم قبل رمضان");
  await expect(card(page, "سعد").getByText("لها ملاحظة")).toHaveCount(1);
  // In the pane, and nowhere else.
  await expect(page.getByLabel("ملاحظة لك وحدك")).toHaveCount(1);

  const long = "ن".repeat(2001);
  await noteIn(page).fill(long);
  await pressSave(page);
  await expect(noteIn(page)).toHaveAccessibleDescription(/الملاحظة طويلة/);
  await expect(noteIn(page)).toBeFocused();
  await expect(noteIn(page)).toHaveValue(long);
  await expect(notice(page, saved)).toHaveCount(0);
  await noteIn(page).fill(" ");
  await pressSave(page);
  await expect(notice(page, "حُذفت الملاحظة")).toBeVisible();
  await expect(noteIn(page)).toHaveValue("");
  await expect(card(page, "سعد").getByText("لها ملاحظة")).toHaveCount(0);
});

test("a saved note follows changes of another tab, but not while it is being edited", async () => {
  await board.store(names);
  const [page, other] = [await board.open(), await board.open()];
  await expect(liveBadge(page)).toBeVisible();
  await openMessage(other, "سعد");
  await save(page, "واحد");
  await expect(noteIn(other)).toHaveValue("واحد");
  await save(other, "اثنان");
  await expect(noteIn(page)).toHaveValue("اثنان");
  await noteIn(page).fill("اثنان وأكثر");
  await press(other, "سعد", "أرشفة");
  // The message has left the list, and stays open with what is typed.
  await expect(card(page, "سعد")).toHaveCount(0);
  await expectOpen(page, "سعد");
  await expect(noteIn(page)).toHaveValue("اثنان وأكثر");
  await pressSave(page);
  await expect(notice(page, saved)).toBeVisible();
});

test("a note that was not saved stays in the field", async () => {
  await board.store(names);
  const page = await board.open();
  await write(page, "لا تضيع");
  await page.route(/\/admin\.data/, (route) => route.abort());
  await pressSave(page);
  await expect(pane(page).getByRole("alert")).toContainText("ما كتبته محفوظ هنا");
  await expect(noteIn(page)).toHaveValue("لا تضيع");
  await page.unroute(/\/admin\.data/);
  await pressSave(page);
  await expect(notice(page, saved)).toBeVisible();
  await expect(pane(page).getByText("لم تُحفظ بعد")).toHaveCount(0);
});
