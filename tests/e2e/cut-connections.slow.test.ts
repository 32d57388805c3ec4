import type { Page, Route } from "playwright/test";
import { Authenticator, notice, startScripts } from "#tests/support/browser/account.ts";
import {
  expect,
  isHydrated,
  newAccount,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";
import { wrongCredentials } from "#tests/support/credentials.ts";

/** Takes the page offline while it sends a request. */
async function offline(page: Page, sendIt: () => Promise<void>) {
  await page.waitForFunction(isHydrated);
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await sendIt();
  await expect(page.getByText("Unexpected Application Error!")).toHaveCount(0);
  await page.context().setOffline(false);
}

const failure = (page: Page) => page.getByRole("alert").filter({ hasText: "ما كتبته محفوظ هنا" });

/** Sends the form of the focused field while offline. */
const sendOffline = (page: Page) =>
  offline(page, async () => {
    await page.keyboard.press("Enter");
    await expect(failure(page)).toBeVisible();
  });

const badGateway = (route: Route) => route.fulfill({ status: 502, body: "Bad Gateway" });

test("a sign-in over a connection that fails reports it and keeps what was typed", async ({
  page,
}) => {
  const account = newAccount();
  const button = "تسجيل الدخول";
  await page.goto("/auth");
  await startScripts(page);
  await page.route(/\.data/, badGateway);
  await submitCredentials(page, account, button);
  await expect(notice(page, "حدث خطأ")).toContainText("502 Bad Gateway");
  await expect(failure(page)).toBeVisible();
  await expect(page.getByLabel("البريد الإلكتروني")).toHaveValue(account.email);
  await expect(page.getByLabel("كلمة المرور")).toHaveValue(account.password);
  await page.unroute(/\.data/, badGateway);
  await page.getByRole("button", { name: button, exact: true }).click();
  await expect(page.getByText(wrongCredentials)).toBeVisible();
});

test("setting up a second factor survives broken connections, and keeps its code", async ({
  page,
}) => {
  const account = await signUp(page);
  await page.goto("/account/factors/new");
  await page.getByLabel("اسم الجهاز").fill("حاسوبي");
  const current = page.getByLabel("كلمة المرور الحالية");
  await current.fill(account.password);
  await sendOffline(page);
  await expect(page.getByLabel("اسم الجهاز")).toHaveValue("حاسوبي");
  await expect(current).toHaveValue(account.password);
  await page.getByRole("button", { name: "متابعة" }).click();
  const key = page.getByLabel("مفتاح التطبيق");
  const secret = await key.innerText();
  const app = new Authenticator(secret);
  await page.getByLabel("الرمز الظاهر في التطبيق").fill(app.code());
  await sendOffline(page);
  await expect(key).toHaveText(secret);
  await page.getByLabel("الرمز الظاهر في التطبيق").fill("000000");
  await page.getByRole("button", { name: "تأكيد وتفعيل" }).click();
  await expect(page.getByText(/الرمز غير صحيح/)).toBeVisible();
  await expect(key).toHaveText(secret);
  await page.getByLabel("الرمز الظاهر في التطبيق").fill(app.code());
  await page.getByRole("button", { name: "تأكيد وتفعيل" }).click();
  await expect(notice(page, "فُعّل التحقق بخطوتين")).toBeVisible();
});
