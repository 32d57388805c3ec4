import {
  Authenticator,
  notice,
  setUpFactor,
  signIn,
  signOut,
  submitCode,
} from "#tests/support/browser/account.ts";
import { expect, signUp, test } from "#tests/support/browser/test.ts";

const arabic = (code: string) => code.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[Number(digit)] ?? "");

test("a second factor is set up, and required after the password", async ({ page }) => {
  const account = await signUp(page);
  const { app } = await setUpFactor(page, account.password);
  const section = page.getByRole("region", { name: "التحقق بخطوتين" });
  await expect(section.getByText("هاتفي", { exact: true })).toBeVisible();
  // Who loses the only app cannot come back alone.
  await expect(section.getByText(/أضف تطبيقًا ثانيًا على جهاز آخر/)).toBeVisible();

  await signOut(page);
  await signIn(page, account);
  await submitCode(page, "12345");
  const field = page.getByLabel("رمز التحقق");
  await expect(field).toHaveAccessibleDescription("اكتب الرمز المكوّن من ٦ أرقام");
  await expect(field).toBeFocused();
  await submitCode(page, "000000");
  await expect(field).toHaveAccessibleDescription(/الرمز غير صحيح/);

  await submitCode(page, arabic(app.code()));
  await expect(page).toHaveURL(/\/admin$/);
  await expect(notice(page, "تم تسجيل الدخول بنجاح")).toBeVisible();
  await page.goto("/auth/code");
  await expect(page).toHaveURL(/\/admin$/);
});

test("a second app has its own name, and either app signs in", async ({ page, site }) => {
  const account = await signUp(page);
  const { app } = await setUpFactor(page, account.password);
  await page.goto("/account/factors/new");
  await expect(page.getByLabel("اسم الجهاز")).toHaveValue("هاتفي 2");
  // A name that is already used must not use up a code.
  const code = app.code();
  await page.getByLabel("اسم الجهاز").fill("هاتفي");
  await page.getByLabel("رمز جديد من تطبيق المصادقة").fill(code);
  await page.getByRole("button", { name: "متابعة" }).click();
  await expect(page.getByLabel("اسم الجهاز")).toHaveAccessibleDescription(/لديك تطبيق بهذا الاسم/);
  await page.getByLabel("اسم الجهاز").fill("حاسوبي <b>");
  await page.getByLabel("رمز جديد من تطبيق المصادقة").fill(code);
  await page.getByRole("button", { name: "متابعة" }).click();
  const second = new Authenticator(await page.getByLabel("مفتاح التطبيق").innerText());
  await page.getByLabel("الرمز الظاهر في التطبيق").fill(second.code());
  await page.getByRole("button", { name: "تأكيد وتفعيل" }).click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(notice(page, "أُضيف تطبيق المصادقة")).toBeVisible();
  const apps = page.getByRole("list", { name: "تطبيقات المصادقة" });
  await expect(apps.getByText("حاسوبي <b>")).toBeVisible();
  await expect(page.getByText(/أضف تطبيقًا ثانيًا/)).toHaveCount(0);

  for (const either of [second, app]) {
    await signOut(page);
    await signIn(page, account);
    await either.reuse(site);
    await submitCode(page, either.code());
    await expect(page).toHaveURL(/\/admin$/);
  }
});
