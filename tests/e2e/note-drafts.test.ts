import { decodeJwt } from "jose";
import type { Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import { card, openBox, toggle, useBoard } from "#tests/support/browser/board.ts";
import { expect, openLive, submitCredentials, test } from "#tests/support/browser/test.ts";
import { sessionOf } from "#tests/support/session-value.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const board = useBoard();

const label = "ملاحظة لك وحدك";
const save = "حفظ الملاحظة";

const noteIn = (page: Page, name = "سعد") => card(page, name).getByLabel(label);

async function write(page: Page, text: string, name = "سعد") {
  if (!(await noteIn(page, name).isVisible())) {
    await toggle(card(page, name));
  }
  await noteIn(page, name).fill(text);
}

const press = (page: Page, name = "سعد") =>
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

test("a note of an ended session is kept, and sign-in leads back @scripts", async () => {
  await board.store(["نورة", "سعد"]);
  const page = await openAlone();
  await write(page, "قبل أن\nتنتهي");
  await endSession(page);
  await press(page);
  await expect(page).toHaveURL(/\/auth\?next=/);
  await expect(notice(page, "انتهت جلستك")).toBeVisible();
  await submitCredentials(page, board.account, "تسجيل الدخول");
  await expect(page).toHaveURL(/\/admin\?box=waiting$/);
  await expect(noteIn(page)).toHaveValue("قبل أن\nتنتهي");
  await press(page);
  await expect(notice(page, "حُفظت الملاحظة")).toBeVisible();
  await expect(page).toHaveURL(/\/admin\?box=waiting&open=[^&]+&done=/);
  await expect(card(page, "سعد").getByRole("blockquote")).toContainText("قبل أن");
});

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
  await press(other);
  await expect(notice(other, "حُفظت الملاحظة")).toBeVisible();
  await press(page);
  await expect(card(page, "سعد").getByRole("alert")).toContainText("كُتبت غيرها من صفحة أخرى");
  await expect(card(page, "سعد").getByRole("blockquote")).toContainText("غيرها");
  await press(page);
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
