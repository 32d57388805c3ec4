import { decodeJwt } from "jose";
import type { Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import { card, openBox, useBoard } from "#tests/support/browser/board.ts";
import { expect, liveBadge, submitCredentials, test } from "#tests/support/browser/test.ts";
import { sessionOf } from "#tests/support/session-value.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const board = useBoard();

const label = "ملاحظة لك وحدك";
const save = "حفظ الملاحظة";
const waiting = "/admin?box=waiting";

const noteIn = (page: Page, name = "سعد") => card(page, name).getByLabel(label);

async function write(page: Page, text: string, name = "سعد") {
  if (!(await noteIn(page, name).isVisible())) {
    await card(page, name).getByText("المزيد", { exact: true }).click();
  }
  await noteIn(page, name).fill(text);
}

const press = (page: Page, name = "سعد") =>
  card(page, name).getByRole("button", { name: save }).click();

/** A browser of its own, because the test ends its session. */
async function openAlone(scripts: boolean): Promise<Page> {
  const page = await board.open(
    { javaScriptEnabled: scripts, storageState: { cookies: [], origins: [] } },
    "/auth",
  );
  await submitCredentials(page, board.account, "تسجيل الدخول");
  await expect(page).toHaveURL(/\/admin$/);
  await page.goto(waiting);
  if (scripts) {
    // Before that, the board would reload and notice the end first.
    await expect(liveBadge(page)).toBeVisible();
    await page.waitForLoadState("networkidle");
  }
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

test("the undo of a note can itself be undone", async ({ scripts }) => {
  await board.store(["نورة", "سعد"], { note: "الأصل" });
  const page = await board.open({ javaScriptEnabled: scripts });
  const shown = card(page, "سعد").getByRole("blockquote");
  await write(page, "الجديدة");
  await press(page);
  await expect(notice(page, "حُفظت الملاحظة")).toBeFocused();
  await expect(shown).toContainText("الجديدة");
  const told = page.url();
  await page.getByRole("button", { name: "تراجع" }).click();
  await expect(notice(page, "عادت الملاحظة كما كانت")).toBeFocused();
  await expect(shown).toContainText("الأصل");
  await expect(noteIn(page)).toHaveValue("الأصل");
  await page.getByRole("button", { name: "تراجع" }).click();
  await expect(shown).toContainText("الجديدة");
  await page.goto(told);
  await page.getByRole("button", { name: "تراجع" }).click();
  await expect(notice(page, "جاء بعده تغيير آخر")).toBeFocused();
  await expect(shown).toContainText("الجديدة");
  await page.context().close();
});

test("the second of two pages that write one note sees both texts and decides", async ({
  scripts,
}) => {
  await board.store(["نورة", "سعد"]);
  const [first, second] = [
    await board.open({ javaScriptEnabled: scripts }),
    await board.open({ javaScriptEnabled: scripts }),
  ];
  await write(second, "من الثاني");
  await write(first, "من الأول");
  await press(first);
  await expect(notice(first, "حُفظت الملاحظة")).toBeVisible();
  await press(second);
  await expect(card(second, "سعد").getByRole("alert")).toContainText("كُتبت غيرها من صفحة أخرى");
  await expect(card(second, "سعد").getByRole("blockquote")).toContainText("من الأول");
  await expect(noteIn(second)).toHaveValue("من الثاني");
  await press(second);
  await expect(notice(second, "حُفظت الملاحظة")).toBeVisible();
  await expect(card(second, "سعد").getByRole("blockquote")).toContainText("من الثاني");
  await first.context().close();
  await second.context().close();
});

test("a note of an ended session is kept, and sign-in leads back", async ({ scripts }) => {
  await board.store(["نورة", "سعد"]);
  const page = await openAlone(scripts);
  await write(page, "قبل أن\nتنتهي");
  await endSession(page);
  await press(page);
  if (scripts) {
    await expect(page).toHaveURL(/\/auth\?next=/);
    await expect(notice(page, "انتهت جلستك")).toBeVisible();
    await submitCredentials(page, board.account, "تسجيل الدخول");
    await expect(page).toHaveURL(new RegExp(`${waiting.replace("?", "\\?")}$`));
    await expect(noteIn(page)).toHaveValue("قبل أن\nتنتهي");
    await press(page);
  } else {
    await expect(page.getByRole("alert")).toContainText("لم يُحفظ ما كتبته لأن جلستك انتهت");
    await expect(page.getByLabel(label)).toHaveValue("قبل أن\nتنتهي");
    const popup = page.waitForEvent("popup");
    await page.getByRole("link", { name: "تسجيل الدخول في صفحة جديدة" }).click();
    const other = await popup;
    await expect(notice(other, "انتهت جلستك")).toBeVisible();
    await submitCredentials(other, board.account, "تسجيل الدخول");
    await expect(other).toHaveURL(/\/admin\?box=waiting$/);
    await expect(page.getByLabel(label)).toHaveValue("قبل أن\nتنتهي");
    await page.getByRole("link", { name: "العودة إلى الموقع" }).click();
    await write(page, "قبل أن\nتنتهي");
    await press(page);
  }
  await expect(notice(page, "حُفظت الملاحظة")).toBeVisible();
  await expect(page).toHaveURL(/\/admin\?box=waiting&done=/);
  await expect(card(page, "سعد").getByRole("blockquote")).toContainText("قبل أن");
  await page.context().close();
});

test("an action of an ended session leads to sign-in and back", async ({ scripts }) => {
  await board.store(["نورة", "سعد"]);
  const page = await openAlone(scripts);
  await endSession(page);
  await card(page, "سعد").getByRole("button", { name: "أجبتُه" }).click();
  await expect(notice(page, "انتهت جلستك")).toBeVisible();
  await submitCredentials(page, board.account, "تسجيل الدخول");
  await expect(page).toHaveURL(/\/admin\?box=waiting$/);
  await expect(card(page, "سعد")).toHaveCount(1);
  await page.context().close();
});

test("a draft survives a change of box, and is deleted by the sign-out @scripts", async () => {
  await board.store(["نورة", "سعد"], { note: "أولى" });
  const page = await openAlone(true);
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

  await page.getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto("/auth");
  await submitCredentials(page, board.account, "تسجيل الدخول");
  await expect(card(page, "سعد").getByRole("blockquote")).toContainText("غيرها");
  await expect(noteIn(page)).toHaveValue("غيرها");
  await page.context().close();
  await other.context().close();
});

test("a note can be saved after its message left the page's box @plain", async () => {
  await board.store(["نورة", "سعد"]);
  const page = await board.open({ javaScriptEnabled: false }, waiting);
  await write(page, "قبل الأرشفة");
  const other = await board.open();
  await card(other, "سعد").getByRole("button", { name: "أرشفة" }).click();
  await expect(card(other, "سعد")).toHaveCount(0);
  await press(page);
  await expect(page.getByRole("alert")).toContainText("لم تعد الرسالة في هذا الصندوق");
  await page.getByRole("button", { name: save }).click();
  await expect(notice(page, "حُفظت الملاحظة")).toBeVisible();
  await page.goto("/admin?box=archived");
  await expect(card(page, "سعد").getByRole("blockquote")).toContainText("قبل الأرشفة");
  await page.context().close();
  await other.context().close();
});
