import { notice } from "#tests/support/browser/account.ts";
import { test as owned } from "#tests/support/browser/claimed-board.ts";
import { expect, signUp, test } from "#tests/support/browser/test.ts";

test("the board's keys are turned off and on in this browser", async ({ page, browser, site }) => {
  await signUp(page);
  await page.goto("/account");
  const on = page.getByRole("button", { name: "تشغيل مفاتيح اللوحة" });
  const off = page.getByRole("button", { name: "إيقاف مفاتيح اللوحة" });
  await off.click();
  await expect(notice(page, "أُوقفت مفاتيح اللوحة")).toBeVisible();
  await expect(on).toBeVisible();
  await page.reload();
  await expect(off).toHaveCount(0);
  const other = await browser.newPage({ baseURL: site.url });
  await signUp(other);
  await other.goto("/account");
  await expect(other.getByRole("button", { name: "إيقاف مفاتيح اللوحة" })).toBeVisible();
  await on.click();
  await expect(notice(page, "شُغّلت مفاتيح اللوحة")).toBeVisible();
  await expect(off).toBeVisible();
});

owned("what is to be set up is said in words, and a link opens how", async ({ board }) => {
  await board.goto("/account");
  await expect(board.getByText("لا تصلك تنبيهات بعد")).toBeVisible();
  await expect(board.getByRole("main")).not.toContainText(/[A-Z]+_[A-Z]+/);
  for (const [about, setting] of [
    ["النسخ الاحتياطي", "BACKUP_DIR"],
    ["التنبيهات", "SMTP_URL"],
  ]) {
    await board.getByRole("link", { name: `طريقة الإعداد: ${about}` }).click();
    await expect(board.getByText(`${setting}`).first()).toBeVisible();
    await board.goBack();
  }
  const unknown = await board.goto("/account/documents/constructor");
  expect(unknown?.status()).toBe(404);
});
