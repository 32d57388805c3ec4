import type { Browser, Page } from "playwright/test";
import { notice, startScripts } from "#tests/support/browser/account.ts";
import {
  claimInbox,
  expect,
  liveBadge,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";
import { startProxy } from "#tests/support/proxy.ts";
import type { RunningSite } from "#tests/support/site.ts";

async function onAnotherDevice(
  browser: Browser,
  site: Pick<RunningSite, "url">,
  account: { email: string; password: string },
): Promise<Page> {
  const page = await browser.newPage({
    baseURL: site.url,
    userAgent:
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0",
  });
  await page.goto("/auth");
  await submitCredentials(page, account, "تسجيل الدخول");
  await expect(page).toHaveURL(/\/admin$/);
  return page;
}

async function proveAndEnd(page: Page, password: string): Promise<void> {
  await page.getByLabel("كلمة المرور الحالية").fill(password);
  await page.getByRole("button", { name: "إنهاء" }).click();
}

test("a session ended elsewhere leads to sign-in with a notice, and back", async ({
  page,
  browser,
  site,
}) => {
  const account = await signUp(page);
  const other = await onAnotherDevice(browser, site, account);
  await other.goto("/account/password");

  await page.goto("/account");
  const devices = page.getByRole("list", { name: "الأجهزة" }).getByRole("listitem");
  await expect(devices).toHaveCount(2);
  await expect(devices.filter({ hasText: "هذا الجهاز" })).toContainText("Chrome · Linux");
  await expect(devices.filter({ hasText: "Firefox · macOS" })).not.toContainText("هذا الجهاز");
  await page.getByRole("link", { name: "إنهاء جلسة Firefox · macOS" }).click();
  await proveAndEnd(page, "not-the-one");
  await expect(page.getByText("كلمة المرور الحالية غير صحيحة.")).toBeVisible();
  await proveAndEnd(page, account.password);
  await expect(notice(page, "أُنهيت الجلسة")).toBeVisible();
  await expect(devices).toHaveCount(1);

  await other.reload();
  await expect(other).toHaveURL(/\/auth\?next=%2Faccount%2Fpassword$/);
  await expect(notice(other, "انتهت جلستك، سجّل الدخول من جديد.")).toBeVisible();
  expect(await other.context().cookies()).not.toContainEqual(
    expect.objectContaining({ name: "session" }),
  );
  await submitCredentials(other, { ...account, password: "not-the-one" }, "تسجيل الدخول");
  await expect(other.getByText("البريد الإلكتروني أو كلمة المرور غير صحيحة.")).toBeVisible();
  await submitCredentials(other, account, "تسجيل الدخول");
  await expect(other).toHaveURL(/\/account\/password$/);
});

test("an open board closes when its session ends, or when the inbox gets another owner @scripts", async ({
  browser,
  start,
}) => {
  const own = await start();
  const proxy = await startProxy(own);
  const page = await browser.newPage({ baseURL: own.url });
  const account = await signUp(page);
  const other = await onAnotherDevice(browser, proxy, account);
  const stranger = await browser.newPage({ baseURL: proxy.url });
  await signUp(stranger);
  for (const board of [other, stranger]) {
    await expect(liveBadge(board)).toBeVisible();
  }
  await page.goto("/account");
  await page.getByRole("link", { name: "إنهاء كل الجلسات الأخرى" }).click();
  await proveAndEnd(page, account.password);
  await expect(notice(page, "أُنهيت الجلسات الأخرى")).toBeVisible();
  await claimInbox(page, own);
  await expect(liveBadge(page)).toBeVisible();
  // As the site does within 30 seconds (security/live-sessions.slow.test.ts).
  proxy.cut();
  await expect(other).toHaveURL(/\/auth\?next=%2Fadmin$/);
  await expect(notice(other, "انتهت جلستك، سجّل الدخول من جديد.")).toBeVisible();
  await expect(stranger.getByText("هذا الصندوق لصاحب الموقع وحده")).toBeVisible();
  await expect(liveBadge(page)).toBeVisible();
  await proxy.stop();
});

test("a page of one account does nothing after another account signed in, in another tab @once", async ({
  page,
  context,
  site,
}) => {
  const first = await signUp(page);
  // The page does not hear of the other tab.
  await page.addInitScript(() => Reflect.deleteProperty(window, "BroadcastChannel"));
  await page.goto(site.claimPath());
  await expect(page.getByText(first.email)).toBeVisible();
  const other = await context.newPage();
  await other.goto("/account");
  await other.getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(other).toHaveURL(`${site.url}/`);
  const second = await signUp(other);

  await startScripts(page, "رمز صاحب الموقع");
  await page.getByRole("button", { name: "نعم، اجعله لي وحدي" }).click();
  await expect(page.getByText("دخلت بحساب آخر بعد فتح هذه الصفحة")).toBeVisible();
  await expect(page.getByText(second.email)).toBeVisible();
  await expect(page.getByText(first.email)).toHaveCount(0);
});
