import { notice, startScripts } from "#tests/support/browser/account.ts";
import {
  expect,
  fillMessage,
  holdScripts,
  newAccount,
  newMessage,
  sendMessage,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";

test("on a small screen a valid message refused by a fault shows why at once @once", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const text = newMessage();
  await page.goto("/");
  await fillMessage(page, { ...text, email: `broken${text.email}` });
  await sendMessage(page);
  const why = page.getByRole("alert");
  await expect(why).toContainText("لم تُرسل رسالتك");
  await expect(why).toBeFocused();
  await expect(why).toBeInViewport();
  await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
});

test("a refused sign-in shows its error in place without covering anything, before and after scripts load @once", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const release = await holdScripts(page);
  await page.goto("/auth", { waitUntil: "commit" });
  await submitCredentials(page, newAccount(), "تسجيل الدخول");
  const failure = notice(page, "حدث خطأ");
  const home = page.getByRole("link", { name: "العودة إلى الرئيسية" });
  await expect(failure).toBeVisible();
  for (const link of [home, page.getByRole("button", { name: "ليس لديك حساب؟ سجل الآن" })]) {
    await link.scrollIntoViewIfNeeded();
    await link.click({ trial: true });
    const [above, below] = [await failure.boundingBox(), await link.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0);
  }
  const place = () => home.evaluate((link: HTMLElement) => link.offsetTop);
  const before = await place();
  release();
  await startScripts(page);
  await expect(failure).toHaveCount(1);
  expect(await place()).toBe(before);
  await page.getByLabel("كلمة المرور").fill("also wrong");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "إغلاق الإشعار" })).toHaveCount(1);
  await expect(failure).toHaveCount(1);
});

test("a notice of a page without scripts does not cover the page permanently @scripts", async ({
  page,
}) => {
  await signUp(page);
  await page.getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(page.getByText("تم تسجيل الخروج")).toBeVisible();
  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
  await expect(page.getByText("تم تسجيل الخروج")).toBeHidden();
});
