import { notice } from "./account-support.ts";
import {
  expect,
  fillMessage,
  newMessage,
  sendMessage,
  signUp,
  submitCredentials,
  test,
} from "./test.ts";

// What Arabic keyboards and pasted text bring along, invisibly.
const mark = "\u200F";

test("a hidden mark or Arabic digits in an address are no mistake", async ({
  page,
  browser,
  site,
  scripts,
}) => {
  const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: scripts });
  const account = await signUp(await context.newPage());
  await context.close();
  await page.goto("/auth/forgot");
  await page.getByLabel("البريد الإلكتروني").fill(mark + account.email);
  await page.getByRole("button", { name: "إرسال الرسالة" }).click();
  await expect(page).toHaveURL(/\/auth\/confirm/);

  await page.goto("/auth");
  await submitCredentials(page, { ...account, email: mark + account.email }, "تسجيل الدخول");
  await expect(page).toHaveURL(/\/admin$/);

  await page.goto("/");
  await fillMessage(page, { ...newMessage(), email: `${mark}nora٢٠٢٦@example.com` });
  await sendMessage(page);
  await expect(page.getByText("وصلت رسالتك")).toBeVisible();
});

test("what is no address is told by the site, in its own words", async ({ page }) => {
  await page.goto("/auth");
  await submitCredentials(page, { email: "abc", password: "long enough" }, "تسجيل الدخول");
  await expect(notice(page, "خطأ في البيانات")).toContainText("البريد الإلكتروني غير صحيح");
});
