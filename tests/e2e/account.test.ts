import { authErrorText } from "#app/routes/auth/auth-errors.ts";
import { notice, signOutButton, startScripts } from "#tests/support/browser/account.ts";
import {
  expect,
  holdScripts,
  journey,
  newAccount,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";
import { wrongCredentials } from "#tests/support/credentials.ts";
import { startProxy } from "#tests/support/proxy.ts";

const wrong = authErrorText("invalid_credentials");

journey("sign-up, sign-out and sign-in each show a notice", async ({ page, scripts }) => {
  const account = newAccount();
  await page.goto("/auth");
  await expect(page.getByRole("heading", { name: "تسجيل الدخول" })).toBeVisible();
  await page.getByLabel("البريد الإلكتروني").fill(account.email);
  await page.getByRole("button", { name: "ليس لديك حساب؟ سجل الآن" }).click();
  await expect(page.getByRole("heading", { name: "إنشاء حساب" })).toBeVisible();
  await expect(page.getByRole("button", { name: "لديك حساب؟ سجل الدخول" })).toBeVisible();
  await expect(page.getByLabel("البريد الإلكتروني")).toHaveValue(account.email);

  await submitCredentials(page, account, "إنشاء حساب");
  await expect(page).toHaveURL(/\/admin$/);
  const created = notice(page, "تم إنشاء الحساب بنجاح");
  await expect(created.getByText("يمكنك الآن تسجيل الدخول", { exact: true })).toBeVisible();

  await signOutButton(page).click();
  await expect(page).toHaveURL(/\/$/);
  const left = page.getByText("تم تسجيل الخروج");
  await expect(left).toBeVisible();
  if (scripts) {
    // By its own movement, because the page has no scripts.
    await page.evaluate(() => document.getAnimations().forEach((movement) => movement.finish()));
    await expect(left).toBeHidden();
  }
  await page.goto("/admin");
  await expect(page).toHaveURL(/\/auth$/);

  await submitCredentials(page, account, "تسجيل الدخول");
  await expect(page).toHaveURL(/\/admin$/);
  await expect(notice(page, "تم تسجيل الدخول بنجاح")).toBeVisible();
  await page.reload();
  await expect(notice(page, "تم تسجيل الدخول بنجاح")).toHaveCount(0);

  await page.goto("/auth");
  await expect(page).toHaveURL(/\/admin$/);
});

journey(
  "a wrong password shows the service's text in the toast and an Arabic one beside the form",
  async ({ page }) => {
    const { email } = newAccount();
    await page.goto("/auth");
    // Longer than a new one may be.
    await submitCredentials(page, { email, password: "م".repeat(100) }, "تسجيل الدخول");
    await expect(notice(page, "حدث خطأ")).toContainText("Invalid login credentials");
    await expect(page.getByText(wrongCredentials)).toBeVisible();
    await expect(page.getByLabel("البريد الإلكتروني")).toHaveValue(email);
    await expect(page).toHaveURL(/\/auth$/);
  },
);

journey("an invalid e-mail or password is refused before it is sent", async ({ page, scripts }) => {
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  for (const [values, message] of [
    [{ email: "nora@example", password: "long enough" }, "البريد الإلكتروني غير صحيح"],
    [{ email: "nora@example.com", password: "12345" }, "كلمة المرور يجب أن تكون 6 أحرف على الأقل"],
  ] as const) {
    await page.goto("/auth");
    await expect(page.getByLabel("كلمة المرور")).toHaveAttribute("required");
    if (scripts) {
      await startScripts(page);
    }
    await submitCredentials(page, values, "تسجيل الدخول");
    await expect(notice(page, "خطأ في البيانات")).toContainText(message);
    await expect(page.locator("[aria-invalid=true]")).toHaveAccessibleDescription(message);
  }
  expect(posts).toHaveLength(scripts ? 0 : 2);
});

test("a sign-in in another tab leads to the inbox, and a sign-out leads out", async ({
  page,
  context,
}) => {
  await page.goto("/auth");
  const other = await context.newPage();
  await signUp(other);
  await other.goto("/admin");
  await expect(page).toHaveURL(/\/admin$/);
  await signOutButton(other).click();
  await expect(page).toHaveURL(/\/auth$/);
});

test("an account is deleted on a page of its own, by its password alone", async ({ page }) => {
  const account = await signUp(page);
  await page.goto("/account");
  await page.getByRole("link", { name: "حذف حسابي" }).click();
  await expect(page.getByText(account.email)).toBeVisible();
  const field = page.getByLabel("كلمة المرور الحالية");
  const press = () => page.getByRole("button", { name: "حذف حسابي نهائيًا" }).click();
  await field.fill("not-the-one");
  await press();
  await expect(field).toHaveAccessibleDescription(authErrorText("current_password_invalid"));
  await field.fill(account.password);
  await press();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(notice(page, "حُذف حسابك")).toBeVisible();
});

test("while a request runs the form is disabled, says so, and cannot be changed", async ({
  page,
}) => {
  const account = { ...newAccount(), password: "long enough" };
  await page.goto("/auth");
  await startScripts(page);
  const answer = Promise.withResolvers<void>();
  const asked: string[] = [];
  await page.route(/auth\.data/, async (route) => {
    asked.push(route.request().method());
    await answer.promise;
    await route.continue();
  });
  await submitCredentials(page, account, "تسجيل الدخول");
  await expect(page.getByRole("button", { name: "جاري التحميل..." })).toBeDisabled();
  await expect(page.getByLabel("كلمة المرور")).toBeDisabled();
  await expect(page.getByRole("button", { name: "ليس لديك حساب؟ سجل الآن" })).toBeDisabled();
  for (const name of ["العودة إلى الرئيسية", "نسيت كلمة المرور؟"]) {
    const link = page.getByRole("link", { name });
    await expect(link).toHaveAttribute("aria-disabled", "true");
    await link.click({ force: true });
  }
  expect(asked).toEqual(["POST"]);
  answer.resolve();
  await expect(page.getByText(wrong)).toBeVisible();
  await expect(page.getByRole("button", { name: "تسجيل الدخول", exact: true })).toBeEnabled();
  await expect(page).toHaveURL(/\/auth$/);
  // A proxy's answer keeps what was typed.
  await page.unrouteAll();
  await page.route(/\.data/, (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
  await submitCredentials(page, account, "تسجيل الدخول");
  await expect(notice(page, "حدث خطأ")).toContainText("502 Bad Gateway");
  await expect(page.getByRole("alert").filter({ hasText: "محفوظ هنا" })).toBeVisible();
  await expect(page.getByLabel("كلمة المرور")).toHaveValue(account.password);
});

test("a refused sign-in shows its error in place without covering anything, before and after scripts load", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const release = await holdScripts(page);
  await page.goto("/auth", { waitUntil: "commit" });
  await submitCredentials(page, newAccount(), "تسجيل الدخول");
  const failure = notice(page, "حدث خطأ");
  await expect(failure).toBeVisible();
  const home = page.getByRole("link", { name: "العودة إلى الرئيسية" });
  await home.click({ trial: true });
  const place = () => home.evaluate((link: HTMLElement) => link.offsetTop);
  const before = await place();
  release();
  await startScripts(page);
  await expect(failure).toHaveCount(1);
  expect(await place()).toBe(before);
});

const hint = "متصفحك يمنع ملفات تعريف الارتباط";

test("sign-up and sign-in tell a browser that it blocks cookies, where scripts have no storage either", async ({
  browser,
  site,
}) => {
  const proxy = await startProxy(site);
  proxy.blockCookies();
  const page = await browser.newPage({ baseURL: proxy.url });
  await page.addInitScript(refuseStorage);
  const errors: Error[] = [];
  page.on("pageerror", (error) => errors.push(error));
  const account = newAccount();
  const told = page.getByRole("alert").filter({ hasText: hint });
  await page.goto("/auth?mode=sign-up");
  await submitCredentials(page, account, "إنشاء حساب");
  await expect(told).toBeVisible();
  await page.goto("/auth?next=%2Faccount");
  await submitCredentials(page, { ...account, password: "not-the-one" }, "تسجيل الدخول");
  await expect(page.getByText(wrong)).toBeVisible();
  await expect(page.getByText(hint)).toHaveCount(0);
  await submitCredentials(page, account, "تسجيل الدخول");
  await expect(told).toBeVisible();
  // React Router's inline script for the place of the scroll, which stops there.
  expect(errors.filter(({ name }) => name !== "SecurityError")).toEqual([]);
  await proxy.stop();
});

/** Evaluated in the page: what Firefox does when it blocks all cookies. */
function refuseStorage() {
  const error = new DOMException("The operation is insecure.", "SecurityError");
  const refuse = () => {
    throw error;
  };
  for (const name of ["sessionStorage", "localStorage"]) {
    Object.defineProperty(window, name, { get: refuse });
  }
  // An arrow function cannot be called with new.
  window.BroadcastChannel = new Proxy(BroadcastChannel, { construct: refuse });
}
