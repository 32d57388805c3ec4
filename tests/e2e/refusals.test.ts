import type { Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import {
  expect,
  fillMessage,
  isHydrated,
  newAccount,
  newMessage,
  test,
} from "#tests/support/browser/test.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";

const fault = `create or replace function public.end_session(session_id uuid) returns boolean
  language plpgsql as $$ begin raise exception 'a fault made for a test'; end $$;`;

/** The reason: with scripts in the form, without them on a page of its own. */
const reason = (page: Page, text: string) => page.getByRole("alert").filter({ hasText: text });

let elsewhere: RunningSite;
test.beforeAll(async () => {
  // Opened by an address other than SITE_URL.
  elsewhere = await startSite({ SITE_URL: "https://site.example" });
});
test.afterAll(() => elsewhere.stop());

test("a message sent from another address of the site is refused with the reason and keeps its text", async ({
  page,
  scripts,
}) => {
  const text = newMessage();
  await page.goto(elsewhere.url);
  await fillMessage(page, text);
  if (scripts) {
    await page.waitForFunction(isHydrated);
  }
  await page.getByRole("button", { name: "إرسال الرسالة" }).click();
  await expect(reason(page, "لأنه أُرسل من صفحة لها عنوان آخر")).toBeVisible();
  await expect(page.getByText("ما كتبته محفوظ هنا")).toBeVisible();
  await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
  await expect(page.getByLabel("الاسم")).toHaveValue(text.name);
  await expect(page.getByLabel("البريد الإلكتروني")).toHaveValue(text.email);
  if (!scripts) {
    const back = page.getByRole("link", { name: "العودة إلى الموقع" });
    await expect(back).toHaveAttribute("href", "https://site.example/");
  }
});

const sizes = { "512 kB": 22_000, "2 MB": 80_000 };
for (const [size, words] of Object.entries(sizes)) {
  test(`a message of ${size} is refused as too large, and kept`, async ({ page, scripts }) => {
    const text = { ...newMessage(), message: "كلمة ".repeat(words) };
    await page.goto("/");
    await fillMessage(page, text);
    if (scripts) {
      await page.waitForFunction(isHydrated);
    }
    await page.getByRole("button", { name: "إرسال الرسالة" }).click();
    await expect(reason(page, "أكبر مما يقبله الموقع")).toBeVisible();
    if (!scripts) {
      await page.goBack();
    }
    expect((await page.getByLabel("الرسالة").inputValue()) === text.message).toBe(true);
  });
}

test("a sign-in with a huge password is refused as too large", async ({ page, scripts }) => {
  const account = { ...newAccount(), password: "x".repeat(20_000) };
  await page.goto("/auth");
  await page.getByLabel("البريد الإلكتروني").fill(account.email);
  await page.getByLabel("كلمة المرور").fill(account.password);
  if (scripts) {
    await page.waitForFunction(isHydrated);
  }
  await page.getByRole("button", { name: "تسجيل الدخول", exact: true }).click();
  await expect(reason(page, "أكبر مما يقبله الموقع").first()).toBeVisible();
  if (scripts) {
    await expect(page.getByLabel("البريد الإلكتروني")).toHaveValue(account.email);
  }
});

test("a fault of the site is reported as one, not as a broken connection", async ({
  page,
  request,
  scripts,
}) => {
  test.slow();
  const broken = await startSite({}, fault);
  try {
    await page.goto(`${broken.url}/auth?mode=sign-up`);
    const account = newAccount();
    await page.getByLabel("البريد الإلكتروني").fill(account.email);
    await page.getByLabel("كلمة المرور").fill(account.password);
    await page.getByRole("button", { name: "إنشاء حساب", exact: true }).click();
    await expect(page).toHaveURL(/\/admin$/);
    await request.post(`${broken.url}/auth`, {
      form: { ...account },
      headers: { Origin: broken.url },
    });
    await page.goto(`${broken.url}/account`);
    const button = page.getByRole("button", { name: /^إنهاء جلسة/ });
    await button.hover();
    if (scripts) {
      await page.waitForFunction(isHydrated);
    }
    await button.click();
    await expect(notice(page, "حدث خلل غير متوقع في الموقع").first()).toBeVisible();
    if (scripts) {
      await expect(button).toBeVisible();
    } else {
      await page.getByRole("link", { name: "العودة إلى الموقع" }).click();
      await expect(button).toBeVisible();
    }
  } finally {
    await broken.stop();
  }
});
