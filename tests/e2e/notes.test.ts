import { decodeJwt } from "jose";
import type { Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import { card, openBox, press, toggle, useBoard } from "#tests/support/browser/board.ts";
import {
  expect,
  liveBadge,
  openLive,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";
import { sessionOf } from "#tests/support/session-value.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

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
  await expect(notice(page, "حُفظت الملاحظة")).toHaveCount(0);
  await note.fill(" ");
  await saad.getByRole("button", { name: save }).click();
  await expect(notice(page, "حُذفت الملاحظة")).toBeVisible();
  await expect(saad.getByRole("blockquote")).toHaveCount(0);
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

const noteIn = (page: Page, name = "سعد") => card(page, name).getByLabel("ملاحظة لك وحدك");

async function write(page: Page, text: string, name = "سعد") {
  if (!(await noteIn(page, name).isVisible())) {
    await toggle(card(page, name));
  }
  await noteIn(page, name).fill(text);
}

const pressSave = (page: Page, name = "سعد") =>
  card(page, name).getByRole("button", { name: save }).click();

/** A browser of its own, because the test ends its session. */
async function openAlone(): Promise<Page> {
  const page = await board.open({ storageState: { cookies: [], origins: [] } }, "/auth");
  await submitCredentials(page, board.account, "تسجيل الدخول");
  await expect(page).toHaveURL(/\/admin$/);
  // A board that is not live yet would reload and notice the end first.
  await openLive(page, "/admin?box=waiting");
  return page;
}

/** As from another device. */
async function endSession(page: Page) {
  const cookie = (await page.context().cookies()).find(({ name }) => name === "session");
  const { session_id: id } = decodeJwt(sessionOf(cookie?.value ?? "").access_token);
  await withSuperuser(
    board.site.dataDir,
    (sql) => sql`delete from auth.sessions where id = ${String(id)}`,
  );
}

test("a draft survives a change of box, and is deleted by the sign-out @scripts", async () => {
  await board.store(["نورة", "سعد"], { note: "أولى" });
  const page = await openAlone();
  await write(page, "نصفها");
  await openBox(page, "المؤرشفة");
  await expect(page.getByRole("article")).toHaveCount(0);
  await openBox(page, "الرسائل");
  await expect(noteIn(page)).toHaveValue("نصفها");
  await expect(noteIn(page)).toBeVisible();
  // The session ends, and the board notices it when it gets the focus.
  await endSession(page);
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(page).toHaveURL(/\/auth/);
  await submitCredentials(page, board.account, "تسجيل الدخول");
  await expect(noteIn(page)).toHaveValue("نصفها");
  // The note was changed elsewhere meanwhile: it is not overwritten.
  const other = await board.open();
  await write(other, "غيرها");
  await pressSave(other);
  await expect(notice(other, "حُفظت الملاحظة")).toBeVisible();
  await pressSave(page);
  await expect(card(page, "سعد").getByRole("alert")).toContainText("كُتبت غيرها من صفحة أخرى");
  await expect(card(page, "سعد").getByRole("blockquote")).toContainText("غيرها");
  await pressSave(page);
  await expect(notice(page, "حُفظت الملاحظة")).toBeVisible();
  await expect(card(page, "سعد").getByRole("blockquote")).toContainText("نصفها");

  await write(page, "مسودة");
  await page.getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto("/auth");
  await submitCredentials(page, board.account, "تسجيل الدخول");
  await toggle(card(page, "سعد"));
  await expect(card(page, "سعد").getByRole("blockquote")).toContainText("نصفها");
  await expect(noteIn(page)).toHaveValue("نصفها");
});

test("a sign-out that fails keeps the draft @scripts", async () => {
  await board.store(names);
  const page = await openAlone();
  await write(page, "مسودة");
  await page.route(/\/sign-out(\.data)?$/, (route) => route.abort());
  await page.getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(page).toHaveURL(/chrome-error/);
  await page.goto("/admin");
  await expect(noteIn(page)).toHaveValue("مسودة");
});
