import { readFile } from "node:fs/promises";
import type { Page } from "playwright/test";
import {
  Authenticator,
  notice,
  setUpFactor,
  signIn,
  signOut,
  startScripts,
  submitCode,
} from "#tests/support/browser/account.ts";
import { expect, signUp, test } from "#tests/support/browser/test.ts";

const arabic = (code: string) => code.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[Number(digit)] ?? "");

async function confirm(tab: Page, app: Authenticator) {
  await tab.getByLabel("الرمز الظاهر في التطبيق").fill(app.code());
  await tab.getByRole("button", { name: "تأكيد وتفعيل" }).click();
}

test("a second factor is set up, and required after the password", async ({ page }) => {
  const account = await signUp(page);
  const { app, codes } = await setUpFactor(page, account.password);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "تنزيلها في ملف" }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file).toBe(`${codes.join("\n")}\n`);
  await page.getByRole("link", { name: "حفظتها" }).click();
  const section = page.getByRole("region", { name: "التحقق بخطوتين" });
  await expect(section.getByText("هاتفي", { exact: true })).toBeVisible();
  await expect(section.getByText("رموز الاسترداد الباقية: ١٠")).toBeVisible();

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

test("reloading the page with the recovery codes does not set the factor up again @plain", async ({
  page,
}) => {
  const account = await signUp(page);
  await setUpFactor(page, account.password);
  await page.reload();
  await expect(page).toHaveURL(/\/account$/);
  await expect(notice(page, "التحقق بخطوتين مفعّل")).toBeVisible();
  await expect(page.getByText("رموز الاسترداد الباقية: ١٠")).toBeVisible();
});

test("a second app has its own name, and either app signs in @once", async ({ page, site }) => {
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
  await expect(page.getByText("رموز الاسترداد الباقية: ١٠")).toBeVisible();

  for (const either of [second, app]) {
    await signOut(page);
    await signIn(page, account);
    await either.reuse(site);
    await submitCode(page, either.code());
    await expect(page).toHaveURL(/\/admin$/);
  }
});

test("a QR code that a second page replaced is no longer shown, and its page says so @once", async ({
  page,
  context,
}) => {
  const { password } = await signUp(page);
  const start = async (tab: Page) => {
    await tab.goto("/account/factors/new");
    await tab.getByLabel("كلمة المرور الحالية").fill(password);
    await tab.getByRole("button", { name: "متابعة" }).click();
    return new Authenticator(await tab.getByLabel("مفتاح التطبيق").innerText());
  };
  const first = await start(page);
  const other = await context.newPage();
  const second = await start(other);
  await confirm(page, first);
  await expect(page.getByRole("alert")).toContainText("بدأت الإضافة من جديد في صفحة أخرى");
  await expect(page.getByRole("img", { name: /رمز مربع/ })).toHaveCount(0);
  await confirm(other, second);
  const codes = other.getByRole("list", { name: "رموز الاسترداد" });
  await expect(codes.getByRole("listitem")).toHaveCount(10);
});

test("a recovery code replaces the app, once @once", async ({ page }) => {
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
