import type { Page } from "playwright/test";
import { notice, startScripts } from "#tests/support/browser/account.ts";
import {
  cardOf,
  expect,
  fillMessage,
  isHydrated,
  newAccount,
  newMessage,
  openLive,
  postMessages,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";

const toggle = (page: Page) => page.getByRole("button", { name: "ليس لديك حساب؟ سجل الآن" });
const email = (page: Page) => page.getByLabel("البريد الإلكتروني");
const offlineNotice = (page: Page) =>
  page.getByRole("alert").filter({ hasText: "لا يصل جهازك إلى الموقع الآن" });

test("the toggle of /auth keeps the typed address", async ({ page, scripts }) => {
  await page.goto("/auth?next=%2Faccount");
  if (scripts) {
    await startScripts(page);
  }
  const account = newAccount();
  await email(page).fill(account.email);
  await page.getByLabel("كلمة المرور").fill("typed");
  await toggle(page).click();
  await expect(page.getByRole("heading", { name: "إنشاء حساب" })).toBeVisible();
  await expect(page).toHaveURL(/\/auth\?mode=sign-up&next=%2Faccount$/);
  await expect(page).toHaveTitle("إنشاء حساب");
  await expect(email(page)).toHaveValue(account.email);
  await expect(page.getByRole("alert")).toHaveCount(0);
  if (scripts) {
    await expect(page.getByLabel("كلمة المرور")).toHaveValue("typed");
  }
  await page.getByRole("button", { name: "لديك حساب؟ سجل الدخول" }).click();
  await expect(page.getByRole("heading", { name: "تسجيل الدخول" })).toBeVisible();
  await expect(email(page)).toHaveValue(account.email);
  await expect(page).toHaveURL(/\/auth\?next=%2Faccount$/);
});

test.describe("on an open page without a connection @scripts", () => {
  test("the mode changes, and links keep the page and the typed text", async ({ page }) => {
    await page.goto("/auth");
    await startScripts(page);
    await email(page).fill("nora@example.com");
    await page.context().setOffline(true);
    await toggle(page).click();
    await expect(page.getByRole("heading", { name: "إنشاء حساب" })).toBeVisible();
    await page.getByRole("link", { name: "العودة إلى الرئيسية" }).click();
    await expect(offlineNotice(page)).toBeVisible();
    await expect(email(page)).toHaveValue("nora@example.com");
    await page.context().setOffline(false);
    await page.getByRole("link", { name: "العودة إلى الرئيسية" }).click();
    await expect(page.getByRole("heading", { name: "راسلني" })).toBeVisible();
  });

  test("links and forms keep a page whose scripts never loaded", async ({ page }) => {
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.goto("/");
    const text = newMessage();
    await fillMessage(page, text);
    await page.context().setOffline(true);
    for (const control of [
      page.getByRole("link", { name: "لوحة الرسائل" }),
      page.getByRole("link", { name: "Start Your Project Today" }),
      page.getByRole("button", { name: "إرسال الرسالة" }),
    ]) {
      await control.click();
      await expect(offlineNotice(page)).toBeVisible();
      await offlineNotice(page).evaluate((element: HTMLElement) => (element.hidden = true));
    }
    await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
  });

  test("at 400 % zoom the notice is visible near the click", async ({ page }) => {
    await page.clock.install();
    await page.setViewportSize({ width: 320, height: 256 });
    await page.goto("/");
    await page.context().setOffline(true);
    for (const link of [
      page.getByRole("link", { name: "Start Your Project Today" }),
      page.getByRole("link", { name: "لوحة الرسائل" }),
    ]) {
      await link.click();
      await expect(offlineNotice(page)).toBeInViewport({ ratio: 1 });
      await page.clock.runFor("00:10");
      await expect(offlineNotice(page)).toBeHidden();
    }
  });

  test("the boxes of the board stay, and so does sign-out", async ({ page, request, site }) => {
    const text = newMessage();
    expect(await postMessages(request, site, [text])).toEqual([302]);
    await signUp(page);
    await openLive(page);
    await expect(cardOf(page, text)).toBeVisible();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "المزعجة" }).click();
    await expect(offlineNotice(page)).toBeVisible();
    await offlineNotice(page).evaluate((element: HTMLElement) => (element.hidden = true));
    const signOut = page.getByRole("button", { name: "تسجيل الخروج" });
    await signOut.click();
    await expect(offlineNotice(page)).toBeVisible();
    await expect(cardOf(page, text)).toBeVisible();
    await expect(page.getByText("Unexpected Application Error!")).toHaveCount(0);
    await page.context().setOffline(false);
    await signOut.click();
    await expect(page).toHaveURL(/\/$/);
    await expect(notice(page, "تم تسجيل الخروج")).toBeVisible();
  });
});

test("two quick clicks send one request, and the buttons are disabled meanwhile @scripts", async ({
  page,
  browser,
  site,
}) => {
  await page.clock.install();
  const account = await signUp(page);
  const other = await browser.newPage({ baseURL: site.url });
  await other.goto("/auth");
  await submitCredentials(other, account, "تسجيل الدخول");
  await expect(other).toHaveURL(/\/admin$/);
  await page.goto("/account");
  await page.waitForFunction(isHydrated);
  const gate = Promise.withResolvers<void>();
  let posts = 0;
  await page.route(/\.data/, async (route) => {
    if (route.request().method() === "POST") {
      posts += 1;
      await gate.promise;
    }
    await route.continue();
  });
  const end = page.getByRole("button", { name: "إنهاء كل الجلسات الأخرى" });
  await end.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(end).toBeDisabled();
  await expect(page.getByRole("link", { name: "لوحة الرسائل" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  // A tab that hears of another account reloads its data, which must not drop the late response.
  const answer = page.waitForResponse(/healthz/);
  await page.evaluate(() => new BroadcastChannel("session").postMessage("another"));
  await answer;
  await page.clock.fastForward(11_000);
  gate.resolve();
  await expect(notice(page, "أُنهيت الجلسات الأخرى")).toBeVisible();
  expect(posts).toBe(1);

  await page.goto("/");
  await fillMessage(page, newMessage());
  await page.waitForFunction(isHydrated);
  await page.getByRole("button", { name: "إرسال الرسالة" }).dblclick();
  await expect(page.getByText("وصلت رسالتك")).toBeVisible();
  expect(posts).toBe(2);
});
