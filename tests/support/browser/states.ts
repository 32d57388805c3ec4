import type { Page } from "playwright/test";
import type { ClaimedSite } from "#tests/support/claimed-site.ts";
import { pages } from "#tests/support/routes.ts";
import { notice } from "./account.ts";
import { action, noteIn, openMessage, pane, press, rowLink, select } from "./board.ts";
import {
  expect,
  fillMessage,
  isHydrated,
  liveBadge,
  newMessage,
  postMessages,
  sendMessage,
  submitCredentials,
} from "./test.ts";

/** A state of a page: how it looks is measured in each window. */
export interface Look {
  what: string;
  path: string;
  /** Who sees it; `holder` is an account with a second factor that does not own the inbox. */
  reader: "visitor" | "owner" | "holder";
  /** What leads to it from its address. */
  change?: (page: Page, owned: ClaimedSite) => Promise<unknown>;
  /** On a phone an open message has the whole window. */
  isOfPhone?: true;
  /** Its page is of no use for another state. */
  spoils?: true;
}

/** Each page as it is opened, but those that lead on to another one. */
const opened = pages
  .filter(({ path }) => !["/sign-out", "/auth/code"].includes(path))
  .map(({ path, session }): Look => {
    const reader = session === "needed" ? "owner" : "visitor";
    return { what: path, path, reader };
  });

const ofVisitor = (what: string, path: string, change?: Look["change"]): Look => ({
  what,
  path,
  reader: "visitor",
  ...(change && { change }),
});
const ofOwner = (what: string, path: string, change?: Look["change"]): Look => ({
  ...ofVisitor(what, path, change),
  reader: "owner",
});
/** What takes something from the owner's page for good. */
const spoiling = (what: string, change: Look["change"]): Look => ({
  ...ofOwner(what, "/admin", change),
  spoils: true,
});
const ofHolder = (what: string, path: string, change?: Look["change"]): Look => ({
  ...ofVisitor(what, path, change),
  reader: "holder",
});

const send = async (page: Page) => {
  await fillMessage(page, newMessage());
  await sendMessage(page);
  await expect(page.getByText("وصلت رسالتك")).toBeVisible();
};

const openLaila = async (page: Page) => {
  await openMessage(page, "ليلى");
  await expect(action(page, "أرشفة")).toBeVisible();
};

/** What a page shows after something was done there. */
const changed: Look[] = [
  ofVisitor("the contact page with its reasons and details", "/", async (page) => {
    await page.getByRole("checkbox", { name: /لماذا صمّمتها/ }).check();
    await page.getByText("بياناتي ورمز QR").click();
  }),
  ofVisitor("a message with errors", "/", async (page) => {
    await fillMessage(page, { name: " ", email: "a@b", message: " " });
    await sendMessage(page);
    await expect(page.getByLabel("الاسم")).toHaveAttribute("aria-invalid", "true");
  }),
  ofVisitor("the thanks", "/", send),
  ofVisitor("a receipt", "/", async (page) => {
    await send(page);
    await page.getByRole("link", { name: "إيصال رسالتك" }).click();
    await expect(page.getByRole("heading", { name: "إيصال رسالتك" })).toBeVisible();
  }),
  ofVisitor("an unknown page", "/nope"),
  ofVisitor("a refused sign-in", "/auth", async (page) => {
    const wrong = { email: "a@example.com", password: "wrong one" };
    await submitCredentials(page, wrong, "تسجيل الدخول");
    await expect(page.getByRole("alert")).not.toHaveCount(0);
  }),
  ofVisitor("a mail is under way", "/auth?check-mail"),
  ofHolder("an account with an app", "/account"),
  ofHolder("a second app that is refused", "/account/factors/new", async (page) => {
    await page.getByRole("button", { name: "متابعة" }).click();
    await expect(page.locator("[aria-invalid=true]")).toBeFocused();
  }),
  ofHolder("the end of an account with an app", "/account/delete"),
  ofHolder("a closed board", "/admin"),
  ofOwner("chosen and opened, with a notice", "/admin", async (page) => {
    await select(page, "نورة");
    await press(page, "سعد", "تم الرد");
    await expect(page.getByRole("button", { name: "تراجع" })).toBeVisible();
  }),
  ofOwner("a refused note", "/admin", async (page) => {
    await openLaila(page);
    await noteIn(page).fill("ن".repeat(2001));
    await pane(page).getByRole("button", { name: "حفظ الملاحظة" }).click();
    await expect(noteIn(page)).toHaveAttribute("aria-invalid", "true");
  }),
  ofOwner("the keys", "/admin", async (page) => {
    await expect(liveBadge(page)).toBeVisible();
    await rowLink(page, "ليلى").focus();
    await page.keyboard.press("Shift+Slash");
    await expect(page.getByRole("dialog")).toBeVisible();
  }),
  ofOwner("results", "/admin?q=رسالة&box=any"),
  { ...ofOwner("a phone's choice", "/admin", (page) => select(page, "نورة")), isOfPhone: true },
  { ...ofOwner("a phone's open message", "/admin", openLaila), isOfPhone: true },
];

/** States that are rare: the slow tests look at them. */
const rare: Look[] = [
  ofOwner("a search that is refused", "/admin?q=س"),
  ofOwner("a box to be emptied", "/admin/empty?box=spam"),
  ofOwner("a box that cannot be", "/admin/empty?box=x"),
  ofOwner("an open message of the spam", "/admin?box=spam", (page) => openMessage(page, "مزعج")),
  ofOwner("an unknown message", "/admin?open=11111111-1111-4111-8111-111111111111"),
  spoiling("a live message, a failed action and a failed load", async (page, { site }) => {
    await expect(liveBadge(page)).toBeVisible();
    await postMessages(page.request, site, [newMessage()]);
    await expect(notice(page, "رسالة جديدة!")).toBeVisible();
    await page.route(/admin\.data/, (route) => route.abort());
    await press(page, "نورة", "أرشفة");
    await expect(page.getByRole("alert").filter({ hasText: "انقطع الاتصال" })).toBeVisible();
  }),
  spoiling("a board without sockets", async (page) => {
    await page.routeWebSocket("**/admin/live", (socket) => socket.close());
    await page.clock.install();
    await page.reload();
    await page.waitForFunction(isHydrated);
    await page.clock.fastForward("00:11");
    await expect(page.getByText("التحديث الفوري متوقف الآن")).toBeVisible();
  }),
  ofOwner("counts", "/account", (page) =>
    page.getByRole("region", { name: "عدّ الزيارات" }).getByText("يومًا بيوم").click(),
  ),
];

const isBox = ({ path }: Look) => path.startsWith("/admin?");
export const looks = {
  common: [...opened.filter((look) => !isBox(look)), ...changed],
  rare: [...opened.filter(isBox), ...rare],
};
