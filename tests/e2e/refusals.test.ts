import type { Page } from "playwright/test";
import {
  expect,
  fillMessage,
  isHydrated,
  newMessage,
  sendMessage,
  test,
} from "#tests/support/browser/test.ts";

/** The reason: with scripts in the form, without them on a page of its own. */
const reason = (page: Page, text: string) => page.getByRole("alert").filter({ hasText: text });

test("a message sent from another address of the site is refused with the reason and keeps its text @scripts", async ({
  page,
  start,
}) => {
  // Opened by an address other than SITE_URL.
  const elsewhere = await start({ SITE_URL: "https://site.example" });
  const text = newMessage();
  await page.goto(elsewhere.url);
  await fillMessage(page, text);
  await page.waitForFunction(isHydrated);
  await sendMessage(page);
  await expect(reason(page, "لأنه أُرسل من صفحة لها عنوان آخر")).toBeVisible();
  await expect(page.getByText("ما كتبته محفوظ هنا")).toBeVisible();
  await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
  await expect(page.getByLabel("الاسم")).toHaveValue(text.name);
  await expect(page.getByLabel("البريد الإلكتروني")).toHaveValue(text.email);
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
    await sendMessage(page);
    await expect(reason(page, "أكبر مما يقبله الموقع")).toBeVisible();
    if (!scripts) {
      await page.goBack();
    }
    expect((await page.getByLabel("الرسالة").inputValue()) === text.message).toBe(true);
  });
}
