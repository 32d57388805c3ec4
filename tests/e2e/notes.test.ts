import { decodeJwt } from "jose";
import type { Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import {
  card,
  expectOpen,
  noteIn,
  openBox,
  openMessage,
  pane,
  press,
  useBoard,
} from "#tests/support/browser/board.ts";
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

test("a saved note follows changes of another tab, but not while it is being edited @scripts", async () => {
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
  await openMessage(page, "سعد");
  await expect(noteIn(page)).toHaveValue("نصفها");
  // The session ends, and the board notices it when it gets the focus.
  await endSession(page);
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(page).toHaveURL(/\/auth/);
  await submitCredentials(page, board.account, "تسجيل الدخول");
  await openMessage(page, "سعد");
  await expect(noteIn(page)).toHaveValue("نصفها");
  // The note was changed elsewhere meanwhile: it is not overwritten.
  await save(await board.open(), "غيرها");
  await pressSave(page);
  await expect(pane(page).getByRole("alert")).toContainText("كُتبت غيرها من صفحة أخرى");
  await expect(pane(page).getByRole("blockquote")).toContainText("غيرها");
  await pressSave(page);
  await expect(notice(page, saved)).toBeVisible();
  await expect(noteIn(page)).toHaveValue("نصفها");

  await write(page, "مسودة");
  await page.getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto("/auth");
  await submitCredentials(page, board.account, "تسجيل الدخول");
  await openMessage(page, "سعد");
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
  await openMessage(page, "سعد");
  await expect(noteIn(page)).toHaveValue("مسودة");
});
