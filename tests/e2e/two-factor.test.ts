import { Authenticator } from "#tests/support/authenticator.ts";
import { notice, setUpFactor } from "#tests/support/browser/account.ts";
import { expect, signUp, submitCredentials, test } from "#tests/support/browser/test.ts";

const arabic = (code: string) => code.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[Number(digit)] ?? "");

test("two apps are set up as a second factor, which is required after the password", async ({
  page,
}) => {
  const account = await signUp(page);
  const { app } = await setUpFactor(page, account.password);
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
  const second = new Authenticator(await page.getByLabel("مفتاح التطبيق").innerText());
  await page.getByLabel("الرمز الظاهر في التطبيق").fill(second.code());
  await page.getByRole("button", { name: "تأكيد وتفعيل" }).click();
  await expect(notice(page, "أُضيف تطبيق المصادقة")).toBeVisible();
  const apps = page.getByRole("list", { name: "تطبيقات المصادقة" });
  await expect(apps.getByText("حاسوبي <b>")).toBeVisible();
  await expect(page.getByText(/أضف تطبيقًا ثانيًا/)).toHaveCount(0);

  await page.getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto("/auth");
  await submitCredentials(page, account, "تسجيل الدخول");
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
  await submit(arabic(second.code()));
  await expect(page).toHaveURL(/\/admin$/);
  await expect(notice(page, "تم تسجيل الدخول بنجاح")).toBeVisible();
});
