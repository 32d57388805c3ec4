import {
  expect,
  fillMessage,
  newMessage,
  postMessages,
  sendMessage,
  test,
} from "#tests/support/browser/test.ts";

test("an invalid message is refused in place and keeps its text", async ({ page }) => {
  await page.goto("/");
  await fillMessage(page, {
    name: " \u200F ",
    email: "nora@example",
    message: "نص طويل أخشى ضياعه",
  });
  await sendMessage(page);

  const name = page.getByLabel("الاسم");
  await expect(name).toHaveAccessibleDescription("اكتب اسمك");
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(name).toBeFocused();
  await expect(page.getByLabel("البريد الإلكتروني")).toHaveAccessibleDescription(
    "البريد الإلكتروني غير صحيح",
  );
  await expect(page.getByLabel("البريد الإلكتروني")).toHaveValue("nora@example");
  await expect(page.getByLabel("الرسالة")).toHaveValue("نص طويل أخشى ضياعه");
  expect(new URL(page.url()).search).toBe("");

  await fillMessage(page, newMessage("بعد التصحيح"));
  await sendMessage(page);
  await expect(page.getByRole("status").filter({ hasText: "وصلت رسالتك" })).toBeVisible();
});

test("a message at the length limits is stored, a longer one is refused", async ({
  request,
  site,
}) => {
  const unique = String(Date.now());
  // Browsers send a line break as two characters; it counts as one.
  const longest = `${unique}${"\r\n\u0645".repeat((5000 - unique.length - 1) / 2)}م`;
  const email = "limit@example.com";
  const statuses = await postMessages(request, site, [
    { name: "ن".repeat(100), email, message: longest.slice(0, -1) },
    { name: "ن".repeat(101), email, message: "نص" },
    { name: "ن", email, message: `${longest}مم` },
  ]);
  expect(statuses).toEqual([302, 400, 400]);
});
