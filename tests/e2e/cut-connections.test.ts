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

for (const [mode, button, answer, text] of [
  ["sign-in", "تسجيل الدخول", (route: Route) => route.abort(), "Failed to fetch"],
  [
    "sign-up",
    "إنشاء حساب",
    (route: Route) => route.fulfill({ status: 502, body: "Bad Gateway" }),
    "502 Bad Gateway",
  ],
] as const) {
  test(`${mode} over a connection that fails reports it and keeps what was typed`, async ({
    page,
  }) => {
    const account = newAccount();
    await page.goto(`/auth?mode=${mode}`);
    await startScripts(page);
    await page.route(/\.data/, answer);
    await submitCredentials(page, account, button);
    await expect(notice(page, "حدث خطأ")).toContainText(text);
    await expect(failure(page)).toBeVisible();
    await expect(page.getByLabel("البريد الإلكتروني")).toHaveValue(account.email);
    await expect(page.getByLabel("كلمة المرور")).toHaveValue(account.password);
    await page.unroute(/\.data/, answer);
    await page.getByRole("button", { name: button, exact: true }).click();
    if (mode === "sign-up") {
      await expect(page).toHaveURL(/\/admin$/);
    } else {
      await expect(page.getByText("البريد الإلكتروني أو كلمة المرور غير صحيحة.")).toBeVisible();
    }
  });
}

test("the address for a mail survives a broken connection, also after a refused form", async ({
  page,
}) => {
  const email = page.getByLabel("البريد الإلكتروني");
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto("/auth/forgot");
  await email.fill("nora@example");
  await page.keyboard.press("Enter");
  await expect(email).toHaveAccessibleDescription("البريد الإلكتروني غير صحيح");
  await page.unroute("**/assets/*.js");
  await page.reload();
  await startScripts(page);
  await offline(page, async () => {
    await page.getByRole("button", { name: "إرسال الرسالة" }).click();
    await expect(failure(page)).toBeVisible();
  });
  await expect(email).toHaveValue("nora@example");
  await expect(email).toBeFocused();
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
  await expect(page.getByRole("list", { name: "رموز الاسترداد" })).toBeVisible();
});
