import type { Page } from "playwright/test";
import {
  expect,
  fillMessage,
  isHydrated,
  newMessage,
  postMessages,
  randomAddress,
  sendMessage,
  test,
} from "./test.ts";

/** Lets no script through until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await gate.promise;
    await route.continue().catch(() => {});
  });
  return gate.resolve;
}

const refusals = {
  "a fault": { prefix: "broken", reason: "لم تُرسل رسالتك" },
  "a limit": { prefix: "", reason: "رسائل كثيرة" },
};
for (const [what, { prefix, reason }] of Object.entries(refusals)) {
  test(`on a small screen a good message refused by ${what} shows why at once`, async ({
    page,
    request,
    site,
    scripts,
  }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    if (scripts) await holdScripts(page);
    const text = newMessage();
    const address = randomAddress();
    await page.setExtraHTTPHeaders({ "X-Forwarded-For": address });
    if (!prefix) {
      const texts = Array.from({ length: 12 }, () => newMessage());
      expect(await postMessages(request, site, texts, address)).toContain(429);
    }
    await page.goto("/");
    await fillMessage(page, { ...text, email: `${prefix}${text.email}` });
    await sendMessage(page);
    const why = page.getByRole("alert");
    await expect(why).toContainText(reason);
    await expect(why).toBeFocused();
    await expect(why).toBeInViewport();
    await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
  });
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
