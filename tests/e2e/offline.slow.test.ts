import { notice } from "#tests/support/browser/account.ts";
import {
  expect,
  fillMessage,
  isHydrated,
  newMessage,
  signUp,
  test,
} from "#tests/support/browser/test.ts";

test("what was typed survives a lost connection: by going back, and by sending again", async ({
  page,
}) => {
  const text = newMessage();
  await page.goto("/");
  await fillMessage(page, text);
  await page.context().setOffline(true);
  await page.getByText("لوحة الرسائل", { exact: true }).click();
  await page.waitForURL(/^chrome-error:/);
  await page.context().setOffline(false);
  await page.goBack();
  await expect(page.getByLabel("الاسم")).toHaveValue(text.name);
  await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "إرسال الرسالة" }).click();
  await page.waitForURL(/^chrome-error:/);
  await page.context().setOffline(false);
  // The browser asks whether to send the form again.
  await page.reload();
  const sent = page.getByRole("region", { name: "وصلت رسالتك" });
  await expect(sent).toContainText(text.name);
});

test("two quick clicks send one request, and the buttons are disabled meanwhile", async ({
  page,
}) => {
  await page.clock.install();
  await signUp(page);
  await page.goto("/account");
  await page.waitForFunction(isHydrated);
  const gate = Promise.withResolvers<void>();
  let posts = 0;
  await page.route(/\.data/, async (route) => {
    if (route.request().method() === "POST") {
      posts += 1;
      await gate.promise;
    }
    await route.continue();
  });
  const confirm = page.getByRole("button", { name: "إرسال رسالة تأكيد" });
  await confirm.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(confirm).toBeDisabled();
  await expect(page.getByRole("link", { name: "لوحة الرسائل" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  // A tab that hears of another account reloads its data, which must not drop the late response.
  await page.evaluate(() => new BroadcastChannel("session").postMessage("another"));
  await page.clock.fastForward(11_000);
  gate.resolve();
  await expect(notice(page, "تفقّد بريدك")).toBeVisible();
  expect(posts).toBe(1);
});
