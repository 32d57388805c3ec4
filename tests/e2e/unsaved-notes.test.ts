import type { Page } from "playwright/test";
import { notice, signOutButton } from "#tests/support/browser/account.ts";
import { action, card, noteIn, openMessage, pane, useBoard } from "#tests/support/browser/board.ts";
import {
  beOwner,
  comeBack,
  expect,
  liveBadge,
  openLive,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import { signedIn, signedUp, type Visitor } from "#tests/support/visitor.ts";

const board = useBoard();

const names = ["نورة", "سعد"];
const saved = "حُفظت الملاحظة";

const pressSave = (page: Page) => pane(page).getByRole("button", { name: "حفظ الملاحظة" }).click();

const unsaved = "لا تضيع\nفي سطرين";

/** Types a note on a board whose session another device can end, by default one of the owner. */
async function typeNote(page: Page, given?: Visitor) {
  const device = given ?? (await signedIn(board.site, board.account));
  await beOwner(page, { site: board.site, owner: device });
  await openLive(page);
  await openMessage(page, "سعد");
  await noteIn(page).focus();
  await page.keyboard.insertText(unsaved);
  return device;
}

/** Follows the link to the sign-in, which opens another tab. */
async function followToSignIn(page: Page) {
  const tab = page.waitForEvent("popup");
  await pane(page).getByRole("link", { name: "تسجيل الدخول في صفحة جديدة" }).click();
  return tab;
}

/** The one that speaks: the regions are there before their text. */
const status = (page: Page) => pane(page).getByRole("status").filter({ hasText: /./ });

/** Expects the text to be there still, and saves it. */
async function save(page: Page) {
  await expect(noteIn(page)).toHaveValue(unsaved);
  await pressSave(page);
  await expect(notice(page, saved)).toBeVisible();
}

test("a note that is being typed when its session ends elsewhere stays, and is saved after a sign-in", async ({
  page,
}) => {
  await board.store(names);
  const device = await typeNote(page);
  await device.post("/sign-out");
  await comeBack(page);
  await expect(status(page)).toContainText("انتهت جلستك. لم تُحفظ هذه الملاحظة بعد.");
  await expect(noteIn(page)).toHaveValue(unsaved);
  await expect(card(page, "نورة")).toBeVisible();
  // All other actions are refused on the page, too.
  await action(page, "أرشفة").press("Enter");
  await expect(notice(page, "انتهت جلستك. تسجيل الدخول في صفحة جديدة")).toBeVisible();
  await pressSave(page);
  await expect(noteIn(page)).toHaveAccessibleDescription(/انتهت جلستك\. ما كتبته محفوظ هنا/);
  await expect(noteIn(page)).toHaveValue(unsaved);
  const tab = await followToSignIn(page);
  await submitCredentials(tab, board.account, "تسجيل الدخول");
  await expect(tab).toHaveURL(/\/admin\?.*open=/);
  await expect(liveBadge(page)).toBeVisible();
  await save(page);
});

test("a note stays while another account is signed in, and goes on with its own", async ({
  page,
  site,
}) => {
  await board.store(names);
  const device = await typeNote(page);
  await device.post("/sign-out");
  await comeBack(page);
  await expect(status(page)).toContainText("انتهت جلستك");
  const tab = await followToSignIn(page);
  await signUp(tab);
  await tab.goto("/admin");
  await expect(status(page)).toHaveText("دخلت بحساب آخر. لم تُحفظ هذه الملاحظة بعد.");
  await expect(card(page, "نورة")).toBeVisible();
  await pressSave(page);
  await expect(noteIn(page)).toHaveAccessibleDescription(/لا يغيّر الرسائل إلا صاحب الصندوق/);
  await expect(noteIn(page)).toHaveValue(unsaved);
  await beOwner(tab, { site, owner: await signedIn(site, board.account) });
  await tab.goto("/admin");
  await expect(liveBadge(page)).toBeVisible();
  await save(page);
});

/** Gives the inbox to another account. */
const giveTo = ({ email }: { email: string }) =>
  board.sql(
    `update private.site_owner set user_id = (select id from auth.users where email = '${email}')`,
  );

test("a note stays while a code is due, and goes on after it", async ({ page, site }) => {
  await board.store(names);
  const owner = await signedUp(site);
  await giveTo(owner.credentials);
  await typeNote(page, await signedIn(site, owner.credentials));
  // It ends the other sessions.
  const { app } = await setUpFactor(owner, owner.credentials.password);
  await comeBack(page);
  await expect(status(page)).toContainText("انتهت جلستك");
  const tab = await followToSignIn(page);
  await submitCredentials(tab, owner.credentials, "تسجيل الدخول");
  await expect(status(page)).toContainText("ينتظر دخولك رمز التحقق. لم تُحفظ هذه الملاحظة بعد.");
  await tab.getByLabel("رمز التحقق").fill(app.code());
  await tab.getByRole("button", { name: "متابعة" }).click();
  await expect(status(page)).toHaveText("لم تُحفظ بعد");
  await save(page);
  await giveTo(board.account);
});

test("the browser asks before a note is lost, and not at a link to another program", async ({
  page,
}) => {
  await board.store(names);
  await typeNote(page);
  let asked = 0;
  page.on("dialog", (dialog) => {
    asked += 1;
    return dialog.dismiss();
  });
  await pane(page).getByRole("link", { name: "visitor-1@example.com" }).click();
  await pane(page).getByRole("link", { name: "ردّ بالبريد" }).click();
  await expect(noteIn(page)).toHaveValue(unsaved);
  expect(asked).toBe(0);
  await page.getByRole("link", { name: "حسابي" }).click();
  await expect.poll(() => asked).toBe(1);
  await save(page);
  await page.getByRole("link", { name: "حسابي" }).click();
  await expect(page).toHaveURL(/\/account$/);
  expect(asked).toBe(1);
});

test("who stays at the question of a sign-out is still signed in, and saves the note", async ({
  page,
}) => {
  await board.store(names);
  await typeNote(page);
  const asked = page.waitForEvent("dialog");
  await signOutButton(page).click({ noWaitAfter: true });
  await (await asked).dismiss();
  await save(page);
  await signOutButton(page).click();
  await expect(page.getByText("تم تسجيل الخروج")).toBeVisible();
});
