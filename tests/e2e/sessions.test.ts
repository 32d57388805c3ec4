import { notice } from "#tests/support/browser/account.ts";
import { expect, signUp, submitCredentials, test } from "#tests/support/browser/test.ts";

test("a session ended elsewhere leads to sign-in with a notice, and back", async ({
  page,
  browser,
  site,
}) => {
  const account = await signUp(page);
  const userAgent =
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0";
  const other = await browser.newPage({ baseURL: site.url, userAgent });
  await other.goto("/auth?next=%2Faccount%2Fpassword");
  await submitCredentials(other, account, "تسجيل الدخول");
  await expect(other).toHaveURL(/\/account\/password$/);

  await page.goto("/account");
  const devices = page.getByRole("list", { name: "الأجهزة" }).getByRole("listitem");
  await expect(devices).toHaveCount(2);
  await expect(devices.filter({ hasText: "هذا الجهاز" })).toContainText("Chrome · Linux");
  await expect(devices.filter({ hasText: "Firefox · macOS" })).not.toContainText("هذا الجهاز");
  await page.getByRole("link", { name: "إنهاء جلسة Firefox · macOS" }).click();
  await page.getByLabel("كلمة المرور الحالية").fill(account.password);
  await page.getByRole("button", { name: "إنهاء" }).click();
  await expect(notice(page, "أُنهيت الجلسة")).toBeVisible();
  await expect(devices).toHaveCount(1);

  await other.reload();
  await expect(other).toHaveURL(/\/auth\?next=%2Faccount%2Fpassword$/);
  await expect(notice(other, "انتهت جلستك، سجّل الدخول من جديد.")).toBeVisible();
  expect(await other.context().cookies()).not.toContainEqual(
    expect.objectContaining({ name: "session" }),
  );
  await submitCredentials(other, account, "تسجيل الدخول");
  await expect(other).toHaveURL(/\/account\/password$/);
});
