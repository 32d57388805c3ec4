import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import { expect, fillMessage, newMessage, sendMessage, test } from "#tests/support/browser/test.ts";
import { readMessages } from "#tests/support/messages.ts";
import type { RunningSite } from "#tests/support/site.ts";

const label = "رقم واتساب (اختياري)";

async function storedPhone(site: RunningSite, email: string): Promise<unknown> {
  const messages = await readMessages(site.dataDir);
  return messages.flatMap((message) => (message.email === email ? [{ phone: message.phone }] : []));
}

test("a number in any usual notation is stored as digits", async ({ page, site }) => {
  await page.goto("/");
  const field = page.getByLabel(label);
  for (const [name, value] of [
    ["type", "tel"],
    ["inputmode", "tel"],
    ["autocomplete", "tel"],
    ["dir", "ltr"],
  ] as const) {
    await expect(field).toHaveAttribute(name, value);
  }
  await expect(field).not.toHaveAttribute("required");
  const text = newMessage();
  await fillMessage(page, text);
  await field.fill("٠٥٠ ١٢٣-٤٥٦٧");
  await sendMessage(page);
  await expect(page.getByText("وصلت رسالتك")).toBeVisible();
  expect(await storedPhone(site, text.email)).toEqual([{ phone: "966501234567" }]);
});

test("an invalid number is refused in place on a small screen, and the form keeps its text", async ({
  page,
  site,
  scripts,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/");
  const text = newMessage();
  await fillMessage(page, text);
  const field = page.getByLabel(label);
  await field.fill("٠٥٠ ١٢");
  await sendMessage(page);
  await expect(field).toHaveAccessibleDescription(/رقم واتساب غير صحيح/);
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toBeFocused();
  await expect(field).toBeInViewport();
  await expect(field).toHaveValue("٠٥٠ ١٢");
  await expect(page.getByLabel("الاسم")).toHaveValue(text.name);
  await expect(page.getByLabel("البريد الإلكتروني")).toHaveValue(text.email);
  await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
  expect(await storedPhone(site, text.email)).toEqual([]);
  if (scripts) {
    await expectGoodLooks(page, "a refused number");
  }

  await field.fill("+20 100 123 4567");
  await sendMessage(page);
  await expect(page.getByText("وصلت رسالتك")).toBeVisible();
  expect(await storedPhone(site, text.email)).toEqual([{ phone: "201001234567" }]);
});
