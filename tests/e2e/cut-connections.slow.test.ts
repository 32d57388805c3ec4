import type { Page, Route } from "playwright/test";
import { notice, startScripts } from "#tests/support/browser/account.ts";
import { expect, newAccount, submitCredentials, test } from "#tests/support/browser/test.ts";
import { wrongCredentials } from "#tests/support/credentials.ts";

const failure = (page: Page) => page.getByRole("alert").filter({ hasText: "ما كتبته محفوظ هنا" });

const badGateway = (route: Route) => route.fulfill({ status: 502, body: "Bad Gateway" });

test("a sign-in over a connection that fails reports it and keeps what was typed", async ({
  page,
}) => {
  const account = newAccount();
  const button = "تسجيل الدخول";
  await page.goto("/auth");
  await startScripts(page);
  await page.route(/\.data/, badGateway);
  await submitCredentials(page, account, button);
  await expect(notice(page, "حدث خطأ")).toContainText("502 Bad Gateway");
  await expect(failure(page)).toBeVisible();
  await expect(page.getByLabel("البريد الإلكتروني")).toHaveValue(account.email);
  await expect(page.getByLabel("كلمة المرور")).toHaveValue(account.password);
  await page.unroute(/\.data/, badGateway);
  await page.getByRole("button", { name: button, exact: true }).click();
  await expect(page.getByText(wrongCredentials)).toBeVisible();
});
