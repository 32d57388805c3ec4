import { setUpFactor } from "#tests/support/browser/account.ts";
import { explained } from "#tests/support/browser/content.ts";
import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import {
  expect,
  fillMessage,
  newMessage,
  sendMessage,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";
import { deleteMessages } from "#tests/support/messages.ts";

test("axe finds nothing on public pages and their errors", async ({ page }) => {
  for (const path of ["/", "/?sent", "/auth", "/auth?mode=sign-up", "/nope"]) {
    await page.goto(path);
    await expectGoodLooks(page, path);
  }
  await page.goto("/");
  if (explained.length > 0) {
    await page.getByRole("checkbox", { name: "لماذا صمّمتها هكذا؟" }).check();
    await expectGoodLooks(page, "the reasons");
  }
  await page.getByRole("button", { name: "بياناتي ورمز QR" }).click();
  await expectGoodLooks(page, "the contact card");
  await page.goto("/");
  await fillMessage(page, { name: " ", email: "a@b", message: " " });
  await sendMessage(page);
  await expect(page.getByLabel("الاسم")).toHaveAttribute("aria-invalid");
  await expectGoodLooks(page, "the message form with errors");
  await page.goto("/auth");
  await submitCredentials(page, { email: "a@example.com", password: "wrong one" }, "تسجيل الدخول");
  await expect(page.getByText("البريد الإلكتروني أو كلمة المرور غير صحيحة.")).toBeVisible();
  await expectGoodLooks(page, "a refused sign-in");
});

test("axe finds nothing in the inbox", async ({ page, site }) => {
  await deleteMessages(site.dataDir);
  await page.goto("/");
  await fillMessage(page, newMessage());
  await sendMessage(page);
  await expect(page.getByText("وصلت رسالتك")).toBeVisible();
  await expectGoodLooks(page, "a sent message");
  await signUp(page);
  await expect(page.getByRole("article").first()).toBeVisible();
  await expectGoodLooks(page, "the board");
  await page.goto("/admin/claim");
  await expectGoodLooks(page, "the claim");
  await page.routeWebSocket("**/admin/live", (socket) => socket.close());
  await page.goto("/admin");
  await expect(page.getByText("التحديث الفوري متوقف الآن")).toBeVisible();
  await expectGoodLooks(page, "the board without sockets");
});

test("axe finds nothing on the recovery pages", async ({ page }) => {
  const mails = ["/auth/forgot", "/auth/resend", "/auth/confirm?type=recovery&sent"];
  for (const path of [...mails, "/auth/confirm?token_hash=x", "/auth?check-mail"]) {
    await page.goto(path);
    await expectGoodLooks(page, path);
  }
});

test("axe finds nothing on the account's pages", async ({ page }) => {
  const { password } = await signUp(page);
  await setUpFactor(page, password);
  const paths = ["/account", "/account/email", "/account/password", "/account/factors/new"];
  for (const path of paths) {
    await page.goto(path);
    await expectGoodLooks(page, path);
  }
  await page.getByRole("button", { name: "متابعة" }).click();
  await expect(page.locator("[aria-invalid]")).toBeFocused();
  await expectGoodLooks(page, "a form with an error");
});

test("the keyboard alone sends a message", async ({ page }) => {
  const text = newMessage();
  await page.goto("/");
  const order: string[] = [];
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => document.activeElement?.getAttribute("name") ?? "");
    if (name !== "") {
      order.push(name);
    }
    if (name in text) {
      await page.keyboard.type(text[name as keyof typeof text]);
    }
    if (name === "phone") {
      break;
    }
  }
  expect(order).toEqual(["name", "email", "message", "phone"]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("وصلت رسالتك")).toBeVisible();
});
