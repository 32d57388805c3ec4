import { startScripts } from "#tests/support/browser/account.ts";
import { expect, newAccount, submitCredentials, test } from "#tests/support/browser/test.ts";
import { startProxy } from "#tests/support/proxy.ts";

test("while a request runs the form is disabled, says so, and cannot be changed @scripts", async ({
  page,
}) => {
  await page.goto("/auth");
  await startScripts(page);
  const answer = Promise.withResolvers<void>();
  const asked: string[] = [];
  await page.route(/auth\.data/, async (route) => {
    asked.push(route.request().method());
    await answer.promise;
    await route.continue();
  });
  await submitCredentials(page, { ...newAccount(), password: "long enough" }, "تسجيل الدخول");
  await expect(page.getByRole("button", { name: "جاري التحميل..." })).toBeDisabled();
  await expect(page.getByLabel("كلمة المرور")).toBeDisabled();
  const toggle = page.getByRole("button", { name: "ليس لديك حساب؟ سجل الآن" });
  await expect(toggle).toBeDisabled();
  for (const name of ["العودة إلى الرئيسية", "نسيت كلمة المرور؟"]) {
    const link = page.getByRole("link", { name });
    await expect(link).toHaveAttribute("aria-disabled", "true");
    await link.click({ force: true });
  }
  expect(asked).toEqual(["POST"]);
  answer.resolve();
  await expect(page.getByText("البريد الإلكتروني أو كلمة المرور غير صحيحة.")).toBeVisible();
  await expect(page.getByRole("button", { name: "تسجيل الدخول", exact: true })).toBeEnabled();
  await expect(page).toHaveURL(/\/auth$/);
});

const hint = "متصفحك يمنع ملفات تعريف الارتباط";

test("sign-up and sign-in tell a browser that it blocks cookies @once", async ({
  browser,
  site,
}) => {
  const proxy = await startProxy(site);
  proxy.blockCookies();
  const page = await browser.newPage({ baseURL: proxy.url });
  const account = newAccount();
  await page.goto("/auth?mode=sign-up");
  await submitCredentials(page, account, "إنشاء حساب");
  await expect(page.getByRole("alert").filter({ hasText: hint })).toBeVisible();
  await expect(page.getByRole("heading", { name: "تسجيل الدخول" })).toBeVisible();

  await page.goto("/auth?next=%2Faccount");
  await expect(page.getByText(hint)).toHaveCount(0);
  await submitCredentials(page, { ...account, password: "not-the-one" }, "تسجيل الدخول");
  await expect(page.getByText("البريد الإلكتروني أو كلمة المرور غير صحيحة.")).toBeVisible();
  await expect(page.getByText(hint)).toHaveCount(0);
  await submitCredentials(page, account, "تسجيل الدخول");
  await expect(page.getByRole("alert").filter({ hasText: hint })).toBeVisible();
  await submitCredentials(page, { ...account, password: "not-the-one" }, "تسجيل الدخول");
  await expect(page.getByText(hint)).toHaveCount(0);
  await proxy.stop();
});

test("forms work where scripts have no storage, as in Firefox with blocked cookies @scripts", async ({
  page,
}) => {
  const errors: Error[] = [];
  page.on("pageerror", (error) => errors.push(error));
  await page.addInitScript(refuseStorage);
  await page.goto("/auth");
  await startScripts(page);
  await submitCredentials(page, newAccount(), "تسجيل الدخول");
  await expect(page.getByText("البريد الإلكتروني أو كلمة المرور غير صحيحة.")).toBeVisible();
  // React Router's inline script for the place of the scroll, which stops there.
  expect(errors.filter(({ name }) => name !== "SecurityError")).toEqual([]);
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
