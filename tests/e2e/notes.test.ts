import { notice } from "#tests/support/browser/account.ts";
import { card, press, toggle, useBoard } from "#tests/support/browser/board.ts";
import { brokenNote } from "#tests/support/browser/sites.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";

const board = useBoard();

const names = ["نورة", "سعد"];
const save = "حفظ الملاحظة";

test("a note is saved, deleted, and refused with its text when it is too long", async () => {
  await board.store(names);
  const page = await board.open();
  const saad = card(page, "سعد");
  const note = saad.getByLabel("ملاحظة لك وحدك");
  await toggle(saad);
  await note.fill("يريد التسليم قبل رمضان");
  await saad.getByRole("button", { name: save }).click();
  await expect(notice(page, "حُفظت الملاحظة")).toBeVisible();
  await expect(saad.getByRole("blockquote")).toContainText("يريد التسليم قبل رمضان");

  if (!(await note.isVisible())) {
    await toggle(saad);
  }
  const long = "ن".repeat(2001);
  await note.fill(long);
  await saad.getByRole("button", { name: save }).click();
  await expect(note).toHaveAccessibleDescription(/الملاحظة طويلة/);
  await expect(note).toBeFocused();
  await expect(note).toHaveValue(long);
  await note.fill(" ");
  await saad.getByRole("button", { name: save }).click();
  await expect(notice(page, "حُذفت الملاحظة")).toBeVisible();
  await expect(saad.getByRole("blockquote")).toHaveCount(0);
});

test("a note that the site failed to save is shown again; with scripts, to be saved in place", async ({
  scripts,
}) => {
  await board.store(names);
  const page = await board.open({}, "/admin?box=waiting");
  const saad = card(page, "سعد");
  await toggle(saad);
  await saad.getByLabel("ملاحظة لك وحدك").fill(brokenNote);
  await saad.getByRole("button", { name: save }).click();
  await expect(page.getByRole("main").getByRole("alert").last()).toContainText("حدث خلل غير متوقع");
  const place = scripts ? saad : page;
  const note = place.getByLabel("ملاحظة لك وحدك");
  await expect(note).toHaveValue(brokenNote);
  if (scripts) {
    await saad.getByRole("button", { name: save }).click();
    await expect(notice(page, "حُفظت الملاحظة")).toBeVisible();
    await expect(saad.getByRole("blockquote")).toContainText(brokenNote);
  } else {
    await page.getByRole("link", { name: "العودة إلى الموقع" }).click();
    await expect(saad).toBeVisible();
  }
  await expect(page).toHaveURL(/box=waiting/);
});

test("a saved note follows changes of another tab, but not while it is being edited @scripts", async () => {
  await board.store(names);
  const [page, other] = [await board.open(), await board.open()];
  await expect(liveBadge(page)).toBeVisible();
  const saveIn = async (tab: typeof page, text: string) => {
    const saad = card(tab, "سعد");
    const area = saad.getByLabel("ملاحظة لك وحدك");
    if (!(await area.isVisible())) {
      await toggle(saad);
    }
    await area.fill(text);
    await saad.getByRole("button", { name: save }).click();
    await expect(saad.getByRole("blockquote")).toContainText(text);
  };
  const note = card(page, "سعد").getByLabel("ملاحظة لك وحدك");
  // In two panes the notes of closed messages are not shown.
  await toggle(card(other, "سعد"));
  await saveIn(page, "واحد");
  await expect(card(other, "سعد").getByRole("blockquote")).toContainText("واحد");
  await saveIn(other, "اثنان");
  await expect(card(page, "سعد").getByRole("blockquote")).toContainText("اثنان");
  await expect(note).toHaveValue("اثنان");
  await note.fill("اثنان وأكثر");
  await press(card(other, "سعد"), "أرشفة");
  await expect(card(page, "سعد").getByText("خرجت هذه الرسالة من القائمة")).toBeVisible();
  await expect(note).toHaveValue("اثنان وأكثر");
});
