import {
  Authenticator,
  notice,
  setUpFactor,
  signIn,
  signOut,
  startScripts,
} from "#tests/support/browser/account.ts";
import { expect, signUp, test } from "#tests/support/browser/test.ts";

test("a recovery code replaces the app, once", async ({ page }) => {
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

test("new recovery codes need a code, and removing the app a code or the password @once", async ({
  page,
}) => {
  const account = await signUp(page);
  const { app, codes } = await setUpFactor(page, account.password);

  await page.goto("/account");
  await page.getByRole("link", { name: "رموز استرداد جديدة" }).click();
  await page.getByLabel("رمز جديد من تطبيق المصادقة").fill("000000");
  await page.getByRole("button", { name: "إنشاء الرموز" }).click();
  await expect(page.getByLabel("رمز جديد من تطبيق المصادقة")).toHaveAccessibleDescription(
    /الرمز غير صحيح/,
  );
  await page.getByLabel("رمز جديد من تطبيق المصادقة").fill(app.code());
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

test("recovery codes stay visible while another tab wakes up @scripts", async ({
  page,
  context,
}) => {
  // Opened before the sign-in: on the first focus each page reports that nobody is signed in.
  const tabs = [await context.newPage(), await context.newPage()];
  for (const tab of tabs) {
    await tab.goto("/");
  }
  const wakeTab = async () => {
    // The page hears of it and reads its data again.
    const read = page.waitForResponse(/\.data/);
    await tabs.pop()?.getByLabel("الاسم").focus();
    await (await read).finished();
    await page.evaluate(() => new Promise(requestAnimationFrame));
  };
  const list = page.getByRole("list", { name: "رموز الاسترداد" });

  const { password } = await signUp(page);
  await page.goto("/account/factors/new");
  await page.getByLabel("كلمة المرور الحالية").fill(password);
  await startScripts(page, "كلمة المرور الحالية");
  await page.getByRole("button", { name: "متابعة" }).click();
  await expect(page.getByRole("img", { name: /رمز مربع/ })).toBeVisible();
  await wakeTab();
  const app = new Authenticator(await page.getByLabel("مفتاح التطبيق").innerText());
  await page.getByLabel("الرمز الظاهر في التطبيق").fill(app.code());
  await page.getByRole("button", { name: "تأكيد وتفعيل" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(10);
  await wakeTab();
  await expect(list.getByRole("listitem")).toHaveCount(10);
});
