import { notice, startScripts } from "#tests/support/browser/account.ts";
import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import {
  expect,
  holdScripts,
  isHydrated,
  newAccount,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";

test("sign-up, sign-out and sign-in each show a notice", async ({ page }) => {
  const account = newAccount();
  await page.goto("/auth");
  await expect(page.getByRole("heading", { name: "تسجيل الدخول" })).toBeVisible();
  await page.getByRole("button", { name: "ليس لديك حساب؟ سجل الآن" }).click();
  await expect(page.getByRole("heading", { name: "إنشاء حساب" })).toBeVisible();
  await expect(page.getByRole("button", { name: "لديك حساب؟ سجل الدخول" })).toBeVisible();

  await submitCredentials(page, account, "إنشاء حساب");
  await expect(page).toHaveURL(/\/admin$/);
  const created = notice(page, "تم إنشاء الحساب بنجاح");
  await expect(created.getByText("يمكنك الآن تسجيل الدخول", { exact: true })).toBeVisible();
  await expect(page.getByText("متصفحك يمنع ملفات تعريف الارتباط")).toHaveCount(0);

  await page.getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(notice(page, "تم تسجيل الخروج")).toBeVisible();
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

test("a wrong password shows the service's text in the toast and an Arabic one beside the form", async ({
  page,
}) => {
  const { email } = newAccount();
  await page.goto("/auth");
  await submitCredentials(page, { email, password: "not-the-one" }, "تسجيل الدخول");
  await expect(notice(page, "حدث خطأ")).toContainText("Invalid login credentials");
  await expect(page.getByText("البريد الإلكتروني أو كلمة المرور غير صحيحة.")).toBeVisible();
  await expect(page.getByLabel("البريد الإلكتروني")).toHaveValue(email);
  await expect(page).toHaveURL(/\/auth$/);
});

test("an invalid e-mail or password is refused before it is sent", async ({ page, scripts }) => {
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
    await expect(page.locator("[aria-invalid]")).toHaveAccessibleDescription(message);
  }
  expect(posts).toHaveLength(scripts ? 0 : 2);
});

test("a sign-in in another tab leads to the inbox, and a sign-out leads out @scripts", async ({
  page,
  context,
}) => {
  await page.goto("/auth");
  const other = await context.newPage();
  await signUp(other);
  await expect(page).toHaveURL(/\/admin$/);
  await other.getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(page).toHaveURL(/\/auth$/);
});

test("a sign-in in another tab does not send a refused form again @scripts", async ({
  page,
  context,
}) => {
  // Before the scripts arrive, the browser handles the form itself.
  const release = await holdScripts(page);
  await page.goto("/auth", { waitUntil: "commit" });
  const wrong = { email: "a@example.com", password: "not-the-one" };
  await submitCredentials(page, wrong, "تسجيل الدخول");
  await expect(page.getByText("البريد الإلكتروني أو كلمة المرور غير صحيحة.")).toBeVisible();
  release();
  await page.waitForFunction(isHydrated);
  const methods: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) {
      methods.push(request.method());
    }
  });
  await signUp(await context.newPage());
  await expect(page).toHaveURL(/\/admin$/);
  expect(new Set(methods)).toEqual(new Set(["GET"]));
});

test("an account is deleted on a page of its own, by its password alone", async ({
  page,
  scripts,
}) => {
  const account = await signUp(page);
  await page.goto("/account");
  await page.getByRole("link", { name: "حذف حسابي" }).click();
  await expect(page.getByRole("heading", { name: "حذف حسابي" })).toBeVisible();
  await expect(page.getByText(account.email)).toBeVisible();
  if (scripts) {
    await expectGoodLooks(page, "the page that deletes an account");
  }
  const field = page.getByLabel("كلمة المرور الحالية");
  const press = () => page.getByRole("button", { name: "حذف حسابي نهائيًا" }).click();
  await field.fill("not-the-one");
  await press();
  await expect(field).toHaveAccessibleDescription("كلمة المرور الحالية غير صحيحة.");
  await field.fill(account.password);
  await press();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(notice(page, "حُذف حسابك")).toBeVisible();
  await page.goto("/auth");
  await submitCredentials(page, account, "تسجيل الدخول");
  await expect(page.getByText("البريد الإلكتروني أو كلمة المرور غير صحيحة.")).toBeVisible();
});
