import { notice } from "#tests/support/browser/account.ts";
import {
  expect,
  fillMessage,
  isHydrated,
  newAccount,
  newMessage,
  paste,
  sendMessage,
  test,
} from "#tests/support/browser/test.ts";
import { readMessages } from "#tests/support/messages.ts";

test("an invalid message is refused in place on a small screen, and keeps its text", async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/");
  const [name, email] = [page.getByLabel("الاسم"), page.getByLabel("البريد الإلكتروني")];
  const phone = page.getByLabel("رقم واتساب (اختياري)");
  await fillMessage(page, {
    name: " \u200F ",
    email: "nora@example",
    message: "نص طويل أخشى ضياعه",
  });
  await phone.fill("٠٥٠ ١٢");
  await sendMessage(page);
  await expect(name).toHaveAccessibleDescription("اكتب اسمك");
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(name).toBeFocused();
  await expect(name).toBeInViewport();
  await expect(email).toHaveAccessibleDescription("البريد الإلكتروني غير صحيح");
  await expect(email).toHaveValue("nora@example");
  await expect(phone).toHaveAccessibleDescription(/رقم واتساب غير صحيح/);
  await expect(phone).toHaveValue("٠٥٠ ١٢");
  await expect(page.getByLabel("الرسالة")).toHaveValue("نص طويل أخشى ضياعه");
  expect(new URL(page.url()).search).toBe("");

  const text = newMessage("بعد التصحيح");
  await fillMessage(page, text);
  await phone.fill("٠٥٠ ١٢٣-٤٥٦٧");
  await sendMessage(page);
  await expect(notice(page, "وصلت رسالتك")).toBeVisible();
  const stored = (await readMessages(site.dataDir)).filter((one) => one.email === text.email);
  expect(stored).toEqual([expect.objectContaining({ phone: "966501234567" })]);
});

test("a message that is too long is refused and keeps its end @once", async ({ page }) => {
  await page.goto("/");
  const text = newMessage();
  await fillMessage(page, text);
  const long = {
    الاسم: ["ن".repeat(101), "الاسم طويل: ١٠٠ حرف على الأكثر"],
    "البريد الإلكتروني": [`${"n".repeat(250)}@example.com`, /البريد الإلكتروني طويل: ٢٥٤/],
    الرسالة: [`${"نص ".repeat(5_000)}النهاية`, "الرسالة طويلة: ٥٬٠٠٠ حرف على الأكثر"],
  } as const;
  for (const [label, [typed]] of Object.entries(long)) {
    await paste(page.getByLabel(label), typed);
  }
  await sendMessage(page);
  for (const [label, [typed, sentence]] of Object.entries(long)) {
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(sentence);
    await expect(page.getByLabel(label)).toHaveValue(typed);
  }
  await fillMessage(page, text);
  await sendMessage(page);
  await expect(notice(page, "وصلت رسالتك")).toBeVisible();
});

test("a message of more than 128 kB is refused as too large, and is there when the visitor goes back @once", async ({
  page,
}) => {
  const text = { ...newMessage(), message: "كلمة ".repeat(22_000) };
  await page.goto("/");
  await fillMessage(page, text);
  await sendMessage(page);
  await expect(page.getByRole("alert").filter({ hasText: "أكبر مما يقبله الموقع" })).toBeVisible();
  await page.goBack();
  expect((await page.getByLabel("الرسالة").inputValue()) === text.message).toBe(true);
});

const tooLong = "كلمة المرور طويلة: ٧٢ حرفًا لاتينيًا أو ٣٦ حرفًا عربيًا على الأكثر";

test("a new password that is too long is refused, not cut @once", async ({ page }) => {
  const account = newAccount();
  await page.goto("/auth?mode=sign-up");
  await page.getByLabel("البريد الإلكتروني").fill(account.email);
  const password = page.getByLabel("كلمة المرور");
  await paste(password, "م".repeat(100));
  await page.waitForFunction(isHydrated);
  await page.keyboard.press("Enter");
  await expect(password).toHaveAccessibleDescription(tooLong);
  await expect(notice(page, "خطأ في البيانات")).toContainText(tooLong);
  await expect(password).toHaveValue("م".repeat(100));
  await paste(password, account.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/admin$/);

  await page.goto("/account/password");
  await page.getByLabel("كلمة المرور الحالية").fill(account.password);
  const replacement = page.getByLabel("كلمة المرور الجديدة");
  await paste(replacement, "م".repeat(100));
  await page.keyboard.press("Enter");
  await expect(replacement).toHaveAccessibleDescription(tooLong);
});

test("sign-in has only the specification's rules for a password @once", async ({ page }) => {
  await page.goto("/auth");
  await page.getByLabel("البريد الإلكتروني").fill(newAccount().email);
  await paste(page.getByLabel("كلمة المرور"), "م".repeat(100));
  await page.keyboard.press("Enter");
  await expect(page.getByText("البريد الإلكتروني أو كلمة المرور غير صحيحة.")).toBeVisible();
});
