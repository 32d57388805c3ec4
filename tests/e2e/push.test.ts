import type { Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import { test } from "#tests/support/browser/claimed-board.ts";
import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import { standInForPushService, turnPushOn } from "#tests/support/browser/push.ts";
import { expect } from "#tests/support/browser/test.ts";
import { newSubscription } from "#tests/support/push-device.ts";
import { Visitor } from "#tests/support/visitor.ts";

const devices = (page: Page) => page.getByRole("list", { name: "أجهزة التنبيهات" });
const row = (page: Page, name = "تنبيهات هذا الجهاز") =>
  devices(page).getByRole("listitem").filter({ hasText: name });
const on = (page: Page) => page.getByRole("link", { name: "تشغيل تنبيهات هذا الجهاز" });
const off = (page: Page) => page.getByRole("button", { name: "إيقاف تنبيهات هذا الجهاز" });

const lasting = "افتح صندوق رسائلك عليه مرة كل ثلاثين يومًا على الأقل";

test.beforeEach(({ inbox }) => inbox.sql("delete from private.push_subscriptions"));

test("another device is listed by its name and can be removed @once", async ({
  board: page,
  inbox: { site, owner },
}) => {
  const phone = new Visitor(site);
  const safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) Safari/604.1";
  await phone.post("/auth", owner.credentials, { "User-Agent": safari });
  await phone.post("/account/device", {
    current: owner.credentials.password,
    ...newSubscription(),
  });
  await page.goto("/account");
  const other = row(page, "Safari · iPhone");
  await expect(other).toContainText("تعمل منذ");
  await expect(page.getByText(lasting)).toBeVisible();
  await expect(row(page)).toContainText(/لا يستقبل|تصلك|ممنوعة/);
  await page.getByRole("button", { name: "إيقاف تنبيهات Safari · iPhone" }).click();
  await expect(notice(page, "أُوقفت تنبيهات الجهاز")).toBeVisible();
  await expect(other).toHaveCount(0);
  await expect(page.getByText(lasting)).toHaveCount(0);
  await expect(page.getByText("لا تصلك تنبيهات بعد")).toBeVisible();
});

test("this device has a button that turns it off, also without scripts", async ({
  board: page,
  inbox: { owner },
  scripts,
}) => {
  await standInForPushService(page.context());
  await owner.post("/account/device", {
    current: owner.credentials.password,
    ...newSubscription(),
  });
  await page.goto("/account");
  if (scripts) {
    // The browser has no subscription, whatever the site has.
    await expect(row(page)).toContainText("لم تعد تصل إلى هذا المتصفح");
    await turnPushOn(page, owner.credentials.password);
    await expect(notice(page, "شُغّلت تنبيهات هذا الجهاز")).toBeVisible();
  }
  await expect(row(page)).toContainText("تعمل منذ");
  await off(page).click();
  await expect(notice(page, "أُوقفت تنبيهات الجهاز")).toBeVisible();
  await expect(row(page)).toContainText(
    scripts ? "تصلك والموقع مغلق" : "لتشغيلها يلزم أن تعمل JavaScript",
  );
  if (scripts) {
    const left = await page.evaluate(async () => {
      const [registration] = await navigator.serviceWorker.getRegistrations();
      return registration?.pushManager.getSubscription();
    });
    expect(left).toBeNull();
  }
});

test.describe("what scripts find out @scripts", () => {
  test("a subscription for another key is renewed", async ({ board: page, inbox }) => {
    await standInForPushService(page.context());
    await page.goto("/account");
    await turnPushOn(page, inbox.owner.credentials.password);
    await expect(off(page)).toBeVisible();
    const stored = () => inbox.sql("select endpoint from private.push_subscriptions");
    const [old] = await stored();
    await page.evaluate((endpoint) => {
      localStorage.setItem("push", JSON.stringify({ endpoint, key: "BAAA" }));
    }, old.endpoint);
    await page.reload();
    await expect(row(page)).toContainText("لم تعد تصل إلى هذا المتصفح");
    await turnPushOn(page, inbox.owner.credentials.password);
    await expect(off(page)).toBeVisible();
    const [renewed, ...others] = await stored();
    expect(renewed.endpoint).not.toBe(old.endpoint);
    expect(others).toEqual([]);
  });

  for (const [answer, reason, text] of [
    ["denied", "لم تسمح بها في المتصفح", "ممنوعة في متصفحك"],
    ["no service", "لم تقبل خدمة التنبيهات في متصفحك الطلب", "تصلك والموقع مغلق"],
  ] as const) {
    test(`a press that ends in "${answer}" says so`, async ({ board: page, inbox }) => {
      await standInForPushService(page.context(), answer);
      await page.goto("/account");
      await turnPushOn(page, inbox.owner.credentials.password);
      await expect(notice(page, "لم تُشغّل تنبيهات هذا الجهاز")).toContainText(reason);
      await page.goto("/account");
      await expect(row(page)).toContainText(text);
      await expect(on(page)).toHaveCount(answer === "denied" ? 0 : 1);
      await page.reload();
      await expect(row(page)).toContainText(text);
      expect(await inbox.sql("select from private.push_subscriptions")).toEqual([]);
    });
  }

  const noPush = "delete window.PushManager;";
  const iphone = "Object.defineProperty(navigator, 'userAgent', { value: 'iPhone Safari' });";
  const noHttps = "Object.defineProperty(window, 'isSecureContext', { value: false });";
  for (const [name, content, text] of [
    ["an old browser", noPush, "لا يستقبل هذا المتصفح تنبيهات"],
    ["a site without https", noHttps, "عنوان يبدأ بـ https://"],
  ] as const) {
    test(`${name} is told what to do first`, async ({ board: page }) => {
      await page.addInitScript({ content });
      await page.goto("/account");
      await expect(row(page)).toContainText(text);
      await expect(on(page)).toHaveCount(0);
    });
  }

  test("a wrong password and a broken connection turn nothing on, and the page looks good", async ({
    board: page,
    inbox,
  }) => {
    await standInForPushService(page.context());
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/account/device");
    await expectGoodLooks(page, "a new device");
    await page.getByLabel("كلمة المرور الحالية").fill("not the password");
    await page.getByRole("button", { name: "تشغيل التنبيهات" }).click();
    await expect(page.getByText("كلمة المرور الحالية غير صحيحة")).toBeVisible();
    expect(await inbox.sql("select from private.push_subscriptions")).toEqual([]);
    await page.getByLabel("كلمة المرور الحالية").fill(inbox.owner.credentials.password);
    await page.route(/\.data/, (route) => route.abort(), { times: 1 });
    await page.getByRole("button", { name: "تشغيل التنبيهات" }).click();
    await expect(page.getByText("ما كتبته محفوظ هنا")).toBeVisible();
    await page.getByRole("button", { name: "تشغيل التنبيهات" }).click();
    await expect(notice(page, "شُغّلت تنبيهات هذا الجهاز")).toBeVisible();
  });

  test("the list of devices looks good", async ({ board: page, inbox: { owner } }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await owner.post("/account/device", {
      current: owner.credentials.password,
      ...newSubscription(),
    });
    for (const [content, text] of [
      ["", /لا يستقبل|لم تعد تصل|ممنوعة/],
      [noPush + iphone, "إضافة إلى الشاشة الرئيسية"],
    ] as const) {
      await page.addInitScript({ content });
      await page.goto("/account");
      await expect(row(page)).toContainText(text);
      await expectGoodLooks(page, "the devices");
    }
  });
});
