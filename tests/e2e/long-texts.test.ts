import { notice } from "#tests/support/browser/account.ts";
import {
  expect,
  isHydrated,
  newAccount,
  paste,
  signUp,
  test,
} from "#tests/support/browser/test.ts";

const tooLong = "كلمة المرور طويلة: ٧٢ حرفًا لاتينيًا أو ٣٦ حرفًا عربيًا على الأكثر";

test("a new password that is too long is refused, not cut", async ({ page, scripts }) => {
  const account = newAccount();
  await page.goto("/auth?mode=sign-up");
  await page.getByLabel("البريد الإلكتروني").fill(account.email);
  const password = page.getByLabel("كلمة المرور");
  await paste(password, "م".repeat(100));
  if (scripts) {
    await page.waitForFunction(isHydrated);
  }
  await page.keyboard.press("Enter");
  await expect(password).toHaveAccessibleDescription(tooLong);
  await expect(notice(page, "خطأ في البيانات")).toContainText(tooLong);
  if (scripts) {
    await expect(password).toHaveValue("م".repeat(100));
  }
  await paste(password, account.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/admin$/);

  await page.goto("/account/password");
  await page.getByLabel("كلمة المرور الحالية").fill(account.password);
  const replacement = page.getByLabel("كلمة المرور الجديدة");
  await paste(replacement, "م".repeat(100));
  await page.keyboard.press("Enter");
  await expect(replacement).toHaveAccessibleDescription(tooLong);
});

test("sign-in has only the specification's rules for a password @once", async ({ page }) => {
  await page.goto("/auth");
  await page.getByLabel("البريد الإلكتروني").fill(newAccount().email);
  await paste(page.getByLabel("كلمة المرور"), "م".repeat(100));
  await page.keyboard.press("Enter");
  await expect(page.getByText("البريد الإلكتروني أو كلمة المرور غير صحيحة.")).toBeVisible();
});

test("the name of an app is not cut either @once", async ({ page }) => {
  const account = await signUp(page);
  await page.goto("/account/factors/new");
  const name = page.getByLabel("اسم الجهاز");
  await paste(name, "ه".repeat(51));
  await page.getByLabel("كلمة المرور الحالية").fill(account.password);
  await page.keyboard.press("Enter");
  await expect(name).toHaveAccessibleDescription("الاسم طويل: ٥٠ حرفًا على الأكثر");
  await expect(name).toHaveValue("ه".repeat(51));
});
