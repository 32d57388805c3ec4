import { notice, setUpFactor, signIn, signOut } from "./account-support.ts";
import { expect, signUp, test } from "./test.ts";

test.slow();

test("a recovery code takes the place of the app, once", async ({ page }) => {
  const account = await signUp(page);
  const [first = ""] = (await setUpFactor(page, account.password)).codes;
  const useCode = async (code: string) => {
    await page.getByText("فقدت الجهاز؟ استعمل رمز استرداد").click();
    await page.getByLabel("رمز الاسترداد").fill(code);
    await page.getByRole("button", { name: "الدخول برمز الاسترداد" }).click();
  };

  await signOut(page);
  await signIn(page, account);
  await useCode(first.toUpperCase());
  await expect(page).toHaveURL(/\/account$/);
  await expect(notice(page, "تم تسجيل الدخول برمز الاسترداد")).toBeVisible();
  await expect(page.getByRole("link", { name: "تفعيل التحقق بخطوتين" })).toBeVisible();

  await setUpFactor(page, account.password);
  await signOut(page);
  await signIn(page, account);
  await useCode(first);
  await expect(page.getByLabel("رمز الاسترداد")).toHaveAccessibleDescription(
    "رمز الاسترداد غير صحيح، أو استُعمل من قبل.",
  );
  await page.goto("/admin");
  await expect(page).toHaveURL(/\/auth\/code/);
});

test("new recovery codes and the removal of the app ask for a proof", async ({ page }) => {
  const account = await signUp(page);
  const { app, codes } = await setUpFactor(page, account.password);

  await page.goto("/account");
  await page.getByRole("link", { name: "رموز استرداد جديدة" }).click();
  await page.getByLabel("رمز جديد من تطبيق المصادقة").fill("000000");
  await page.getByRole("button", { name: "إنشاء الرموز" }).click();
  await expect(page.getByLabel("رمز جديد من تطبيق المصادقة")).toHaveAccessibleDescription(
    /الرمز غير صحيح/,
  );
  await page.getByLabel("رمز جديد من تطبيق المصادقة").fill(await app.code());
  await page.getByRole("button", { name: "إنشاء الرموز" }).click();
  const list = page.getByRole("list", { name: "رموز الاسترداد" });
  await expect(list.getByRole("listitem")).toHaveCount(10);
  const renewed = await list.getByRole("listitem").allInnerTexts();
  expect(renewed.filter((code) => codes.includes(code))).toEqual([]);

  await page.goto("/account");
  await page.getByRole("link", { name: "إزالة هاتفي" }).click();
  await page.getByText("أو استعمل كلمة المرور").click();
  await page.getByLabel("كلمة المرور الحالية").fill("not-the-one");
  await page.getByRole("button", { name: "إزالة" }).click();
  await expect(page.getByLabel("كلمة المرور الحالية")).toHaveAccessibleDescription(
    "كلمة المرور الحالية غير صحيحة.",
  );
  await page.getByLabel("كلمة المرور الحالية").fill(account.password);
  await page.getByRole("button", { name: "إزالة" }).click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(notice(page, "أُزيل تطبيق المصادقة")).toBeVisible();
  await expect(page.getByRole("link", { name: "تفعيل التحقق بخطوتين" })).toBeVisible();
  const devices = page.getByRole("list", { name: "الأجهزة" });
  await expect(devices.getByRole("listitem")).toHaveCount(1);
});
