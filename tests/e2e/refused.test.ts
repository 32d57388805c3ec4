import type { Page } from "playwright/test";
import { expect, fillMessage, isHydrated, newMessage, sendMessage, test } from "./test.ts";

/** Lets no script through until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await gate.promise;
    await route.continue().catch(() => {});
  });
  return gate.resolve;
}

test("what was corrected on a refused page stays when its scripts come", async ({
  page,
  scripts,
}) => {
  test.skip(!scripts, "about when scripts come");
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  const release = await holdScripts(page);
  const text = { ...newMessage(), email: "nora@example" };
  await page.goto("/");
  await fillMessage(page, text);
  await sendMessage(page);
  await expect(page.getByLabel("البريد الإلكتروني")).toBeFocused();
  const message = page.getByLabel("الرسالة");
  await expect(message).toHaveValue(text.message);
  await message.focus();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" مع موعد");
  await page.keyboard.press("ArrowRight");
  const caret = () =>
    message.evaluate((area: HTMLTextAreaElement) => [area.selectionStart, area.selectionEnd]);
  const before = await caret();
  release();
  await page.waitForFunction(isHydrated);
  await page.waitForTimeout(300);
  await expect(message).toHaveValue(`${text.message} مع موعد`);
  await expect(message).toBeFocused();
  expect(await caret()).toEqual(before);

  await sendMessage(page);
  await expect(page.getByLabel("البريد الإلكتروني")).toBeFocused();
  await expect(message).toHaveValue(`${text.message} مع موعد`);
  await page.getByLabel("البريد الإلكتروني").fill("nora@example.com");
  await sendMessage(page);
  await expect(page.getByRole("status").filter({ hasText: "وصلت رسالتك" })).toBeVisible();
  await expect(message).toHaveValue("");
  expect(faults).toEqual([]);
});
