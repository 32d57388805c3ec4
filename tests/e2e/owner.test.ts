import type { Browser } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import { expectFit } from "#tests/support/browser/looks.ts";
import {
  expect,
  fillMessage,
  liveBadge,
  type MessageText,
  newAccount,
  newMessage,
  sendMessage,
  signUp,
  test,
} from "#tests/support/browser/test.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";

// A claim is permanent, so each test has a site of its own.
let site: RunningSite;
test.beforeAll(async () => {
  site = await startSite();
});
test.afterAll(() => site.stop());
test.describe.configure({ mode: "serial" });
test.slow();

async function newReader(browser: Browser, scripts: boolean) {
  const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: scripts });
  const page = await context.newPage();
  await signUp(page);
  return page;
}

test("the claim fits a narrow screen, with the address of the account @layout @once", async ({
  browser,
}) => {
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  const { email } = await signUp(page, newAccount("a-name-of-some-length-"));
  await page.goto("/admin/claim");
  const [local = "", domain = ""] = email.split(/(?=@)/);
  for (const part of [local, domain]) {
    await expect(page.getByText(part)).toBeVisible();
  }
  await expectFit(page, "the claim");
  await context.close();
});

test("one account claims the inbox; others see why it is empty for them", async ({
  browser,
  scripts,
}) => {
  const text = newMessage();
  const visitor = await browser.newContext({ baseURL: site.url, javaScriptEnabled: scripts });
  const home = await visitor.newPage();
  await home.goto("/");
  await fillMessage(home, text);
  await sendMessage(home);
  await expect(home.getByText("وصلت رسالتك")).toBeVisible();

  const owner = await newReader(browser, scripts);
  const stranger = await newReader(browser, scripts);
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

  await owner.goto(site.claimPath());
  await owner.getByRole("button", { name: "نعم، اجعله لي وحدي" }).click();
  await expect(owner.getByText("صار الصندوق لك وحدك")).toBeVisible();
  await expect(owner.getByRole("heading", { name: text.name })).toBeVisible();
  await expect(owner.getByRole("button", { name: "اجعل الصندوق لي وحدي" })).toHaveCount(0);

  await stranger.getByRole("button", { name: "نعم، اجعله لي وحدي" }).click();
  await expect(stranger.getByText("للصندوق صاحب آخر")).toBeVisible();
  await expect(stranger.getByText("هذا الصندوق لصاحب الموقع وحده")).toBeVisible();
  if (scripts) {
    await stranger.reload();
    await expect(liveBadge(stranger)).toHaveCount(0);
    await expect(liveBadge(owner)).toBeVisible();
  }
  await expect(stranger.getByRole("heading", { name: text.name })).toHaveCount(0);
  await stranger.getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(stranger).toHaveURL(/\/$/);
});

test("spam is in a box of its own with its reason, and one button restores it", async ({
  browser,
  scripts,
}) => {
  // The inbox was claimed above: this test needs a site of its own.
  await site.stop();
  site = await startSite();
  const page = await newReader(browser, scripts);
  await page.goto(site.claimPath());
  await page.getByRole("button", { name: "نعم، اجعله لي وحدي" }).click();
  await expect(page.getByText("صار الصندوق لك وحدك")).toBeVisible();

  const links = "http://a.example ".repeat(5);
  const post = async (text: MessageText, trap = "", opened = true) => {
    const program = await browser.newContext({ baseURL: site.url });
    if (opened) {
      await program.request.get("/");
    }
    const form = { ...text, t_extra: trap };
    const headers = { Origin: site.url };
    const answer = await program.request.post("/", { form, headers, maxRedirects: 0 });
    expect(answer.status()).toBe(302);
    await program.close();
  };
  const honest = newMessage("مستعجل");
  const trap = newMessage("فخ");
  const hasty = { ...newMessage("عجول"), message: `${links} 1` };
  const unseen = { ...newMessage("خفي"), message: `${links} 2` };
  await post(honest);
  await post(trap, "x");
  await post(hasty);
  await post(unseen, "", false);

  await page.goto("/admin");
  const card = (name: string) => page.getByRole("article").filter({ hasText: name });
  await expect(card(honest.name)).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.getByRole("link", { name: "البريد غير المرغوب" }).click();
  await expect(card(trap.name)).toContainText("مُلئ حقل لا يراه الناس");
  await expect(card(hasty.name)).toContainText("أُرسلت أسرع مما يكتب الناس، فيها روابط كثيرة");
  await expect(card(unseen.name)).toContainText("لم تُفتح صفحتها قبل إرسالها، فيها روابط كثيرة");

  await card(hasty.name).getByRole("button", { name: "ليست مزعجة" }).click();
  await expect(page.getByText("نُقلت رسالة واحدة إلى لوحة الرسائل")).toBeVisible();
  await expect(card(hasty.name)).toHaveCount(0);
  await expect(notice(page, "نُقلت رسالة واحدة إلى لوحة الرسائل")).toBeFocused();
  await page.getByRole("link", { name: /^الرسائل/ }).click();
  await expect(card(hasty.name)).toHaveCount(1);
});
