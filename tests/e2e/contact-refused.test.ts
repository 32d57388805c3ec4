import {
  expect,
  fillMessage,
  newMessage,
  postMessages,
  sendMessage,
  signUp,
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

test("invisible characters are removed and the rest is stored", async ({ page, request, site }) => {
  const text = newMessage("\u202Eمخفي");
  const marked = { ...text, email: `\u200F${text.email}\u200F` };
  expect(await postMessages(request, site, [marked])).toEqual([302]);
  await signUp(page);
  await expect(page.getByRole("heading", { name: text.name.replace("\u202E", "") })).toBeVisible();
  await expect(page.getByRole("link", { name: text.email })).toHaveAttribute(
    "href",
    `mailto:${text.email}`,
  );
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

test("a message that could not be stored is not confirmed, and its text stays", async ({
  page,
}) => {
  const text = { ...newMessage(), email: "broken@example.com" };
  await page.goto("/");
  await fillMessage(page, text);
  await sendMessage(page);
  await expect(page.getByRole("alert")).toContainText("لم تُرسل رسالتك");
  await expect(page.getByLabel("الاسم")).toHaveValue(text.name);
  await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
  await expect(page.getByText("وصلت رسالتك")).toHaveCount(0);
});
