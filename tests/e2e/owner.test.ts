import { randomUUID } from "node:crypto";
import type { Browser } from "playwright/test";
import { cookiesOf, openMessage, pane, press, rowLink } from "#tests/support/browser/board.ts";
import {
  claimInbox,
  expect,
  leaveMessage,
  liveBadge,
  newMessage,
  signUp,
  test,
} from "#tests/support/browser/test.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import type { RunningSite } from "#tests/support/site.ts";

async function newReader(browser: Browser, site: RunningSite) {
  const page = await browser.newPage({ baseURL: site.url });
  await signUp(page);
  return page;
}

test("one account claims the inbox; others see why it is empty for them", async ({
  browser,
  start,
}) => {
  const site = await start();
  const text = newMessage();
  await leaveMessage(await browser.newContext({ baseURL: site.url }), text);
  const owner = await newReader(browser, site);
  const stranger = await newReader(browser, site);
  for (const page of [owner, stranger]) {
    await page.reload();
    await expect(page.getByText("كل حساب مسجّل في الموقع يستطيع قراءة هذه الرسائل.")).toBeVisible();
    await expect(page.getByRole("heading", { name: text.name })).toBeVisible();
  }
  await stranger.getByRole("button", { name: "اجعل الصندوق لي وحدي" }).click();
  const code = stranger.getByLabel("رمز صاحب الموقع");
  await code.fill("00000-00000-00000-00000");
  await stranger.getByRole("button", { name: "نعم، اجعله لي وحدي" }).click();
  await expect(code).toHaveAccessibleDescription(/الرمز غير صحيح/);
  await expect(code).toBeFocused();
  await expect(code).toHaveValue("00000-00000-00000-00000");

  await claimInbox(owner, site);
  await expect(owner.getByRole("heading", { name: text.name })).toBeVisible();
  await expect(owner.getByRole("button", { name: "اجعل الصندوق لي وحدي" })).toHaveCount(0);

  await stranger.getByRole("button", { name: "نعم، اجعله لي وحدي" }).click();
  await expect(stranger.getByText("للصندوق صاحب آخر")).toBeVisible();
  await expect(stranger.getByText("هذا الصندوق لصاحب الموقع وحده")).toBeVisible();
  await stranger.reload();
  await expect(liveBadge(stranger)).toHaveCount(0);
  await expect(liveBadge(owner)).toBeVisible();
  await expect(stranger.getByRole("heading", { name: text.name })).toHaveCount(0);
  // On a phone an open message takes the place of the list and its header; here there is none.
  await stranger.setViewportSize({ width: 360, height: 740 });
  await stranger.goto(`/admin?open=${randomUUID()}`);
  await expect(stranger.getByText("هذا الصندوق لصاحب الموقع وحده")).toBeVisible();
  await expect(stranger.getByRole("link", { name: "الرئيسية" })).toBeInViewport();
  await stranger.getByRole("main").getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(stranger).toHaveURL(/\/$/);
});

const marked = (name: string, ...signs: string[]) => ({
  ...newMessage(name),
  spam_signs: signs.length === 0 ? null : signs,
});

test("spam is in a box of its own with its reason, and one button restores it @once", async ({
  browser,
  owned,
}) => {
  const { site } = owned;
  await deleteMessages(site.dataDir);
  const page = await browser.newPage({ baseURL: site.url });
  await page.context().addCookies(cookiesOf(owned));

  const honest = marked("مستعجل");
  const trap = marked("فخ", "trap");
  const hasty = marked("عجول", "haste", "links");
  const unseen = marked("خفي", "unseen", "links");
  for (const message of [honest, trap, hasty, unseen]) {
    await storeMessages(site.dataDir, [message]);
  }

  await page.goto("/admin");
  const card = (name: string) => page.getByRole("article").filter({ hasText: name });
  await expect(card(honest.name)).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.getByRole("link", { name: "المزعجة" }).click();
  for (const [name, signs] of [
    [trap.name, "مُلئ حقل لا يراه الناس"],
    [unseen.name, "لم تُفتح صفحتها قبل إرسالها، وفيها روابط كثيرة"],
    [hasty.name, "أُرسلت أسرع مما يكتب الناس، وفيها روابط كثيرة"],
  ] as const) {
    await openMessage(page, name);
    await expect(pane(page).getByText("لماذا هنا؟")).toBeVisible();
    await expect(pane(page)).toContainText(signs);
  }

  await press(page, hasty.name, "ليست مزعجة");
  await expect(page.getByText("نُقلت رسالة واحدة إلى لوحة الرسائل")).toBeVisible();
  await expect(card(hasty.name)).toHaveCount(0);
  await expect(rowLink(page, trap.name)).toBeFocused();
  await page.getByRole("link", { name: /^الرسائل/ }).click();
  await expect(card(hasty.name)).toHaveCount(1);
});
