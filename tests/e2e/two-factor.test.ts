import type { Page } from "playwright/test";
import { Authenticator } from "#tests/support/authenticator.ts";
import { notice } from "#tests/support/browser/account.ts";
import { expect, signUp, submitCredentials, test } from "#tests/support/browser/test.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import { signedUp } from "#tests/support/visitor.ts";

const arabic = (code: string) => code.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[Number(digit)] ?? "");

/** Reads the key that the page shows into an app, and gives its code. */
async function confirmApp(page: Page): Promise<Authenticator> {
  const app = new Authenticator(await page.getByLabel("مفتاح التطبيق").innerText());
  await page.getByLabel("الرمز الظاهر في التطبيق").fill(app.code());
  await page.getByRole("button", { name: "تأكيد وتفعيل" }).click();
  return app;
}

test("two apps are set up as a second factor", async ({ page }) => {
  const { password } = await signUp(page);
  await page.goto("/account");
  await page.getByRole("link", { name: "تفعيل التحقق بخطوتين" }).click();
  await page.getByLabel("كلمة المرور الحالية").fill(password);
  await page.getByRole("button", { name: "متابعة" }).click();
  await expect(page.getByRole("img", { name: /رمز مربع/ })).toBeVisible();
  const app = await confirmApp(page);
  await expect(notice(page, "فُعّل التحقق بخطوتين")).toBeVisible();
  const section = page.getByRole("region", { name: "التحقق بخطوتين" });
  await expect(section.getByText("هاتفي", { exact: true })).toBeVisible();
  // Who loses the only app cannot come back alone.
  await expect(section.getByText(/أضف تطبيقًا ثانيًا على جهاز آخر/)).toBeVisible();
  await section.getByRole("link", { name: "إضافة تطبيق آخر" }).click();
  await expect(page.getByLabel("اسم الجهاز")).toHaveValue("هاتفي 2");
  // A name that is already used must not use up a code.
  const code = app.code();
  for (const name of ["هاتفي", "حاسوبي <b>"]) {
    await page.getByLabel("اسم الجهاز").fill(name);
    await page.getByLabel("رمز جديد من تطبيق المصادقة").fill(code);
    await page.getByRole("button", { name: "متابعة" }).click();
    if (name === "هاتفي") {
      await expect(page.getByLabel("اسم الجهاز")).toHaveAccessibleDescription(/بهذا الاسم/);
    }
  }
  await confirmApp(page);
  await expect(notice(page, "أُضيف تطبيق المصادقة")).toBeVisible();
  const apps = page.getByRole("list", { name: "تطبيقات المصادقة" });
  await expect(apps.getByText("حاسوبي <b>")).toBeVisible();
  await expect(page.getByText(/أضف تطبيقًا ثانيًا/)).toHaveCount(0);
});

test("after the password a code of the app is required", async ({ page, site }) => {
  const holder = await signedUp(site);
  const { app } = await setUpFactor(holder, holder.credentials.password);
  await page.goto("/auth");
  await submitCredentials(page, holder.credentials, "تسجيل الدخول");
  await expect(page).toHaveURL(/\/auth\/code/);
  const field = page.getByLabel("رمز التحقق");
  const submit = async (typed: string) => {
    await field.fill(typed);
    await page.getByRole("button", { name: "متابعة" }).click();
  };
  await submit("12345");
  await expect(field).toHaveAccessibleDescription("اكتب الرمز المكوّن من ٦ أرقام");
  await expect(field).toBeFocused();
  await submit("000000");
  await expect(field).toHaveAccessibleDescription(/الرمز غير صحيح/);
  await submit(arabic(app.code()));
  await expect(page).toHaveURL(/\/admin$/);
  await expect(notice(page, "تم تسجيل الدخول بنجاح")).toBeVisible();
});
