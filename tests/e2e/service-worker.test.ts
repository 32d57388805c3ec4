import { randomUUID } from "node:crypto";
import type { Page } from "playwright/test";
import { notice, signOut } from "#tests/support/browser/account.ts";
import { test as base } from "#tests/support/browser/claimed-board.ts";
import { serviceWorkerOf, standInForPushService, turnPushOn } from "#tests/support/browser/push.ts";
import { expect, submitCredentials } from "#tests/support/browser/test.ts";
import type { ClaimedSite } from "#tests/support/claimed-site.ts";

/** A page of a browser with a profile: without one Chromium shows no notifications. */
const test = base.extend<{ phone: Page }>({
  phone: async ({ playwright, inbox, launchOptions }, use) => {
    const context = await playwright.chromium.launchPersistentContext("", {
      ...launchOptions,
      baseURL: inbox.site.url,
      viewport: { width: 360, height: 740 },
    });
    await context.grantPermissions(["notifications"], { origin: inbox.site.url });
    await standInForPushService(context);
    const page = await context.newPage();
    await signIn(page, inbox);
    await page.goto("/account");
    await use(page);
    await context.close();
  },
});

test.beforeEach(({ inbox }) => inbox.sql("delete from private.push_subscriptions"));

const off = (page: Page) => page.getByRole("button", { name: "إيقاف تنبيهات هذا الجهاز" });

async function signIn(page: Page, { owner }: ClaimedSite) {
  await page.goto("/auth");
  await submitCredentials(page, owner.credentials, "تسجيل الدخول");
  await expect(page).toHaveURL(/\/admin$/);
}

async function turnOn(page: Page, { owner }: ClaimedSite) {
  await turnPushOn(page, owner.credentials.password);
  await expect(notice(page, "شُغّلت تنبيهات هذا الجهاز")).toBeVisible();
  await expect(off(page)).toBeVisible();
}

const registrations = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);

test("nothing is installed before the button is pressed; then it stays on until the sign-out", async ({
  phone,
  inbox,
}) => {
  await expect(phone.getByText("تصلك والموقع مغلق")).toBeVisible();
  expect(await phone.evaluate(() => Notification.permission)).toBe("default");
  expect(await registrations(phone)).toBe(0);
  await turnOn(phone, inbox);
  await phone.reload();
  await expect(off(phone)).toBeVisible();
  await expect(phone.getByText("تعمل منذ")).toBeVisible();

  expect(await registrations(phone)).toBe(1);
  await (await serviceWorkerOf(phone)).push("{}");
  await signOut(phone);
  // Unregistering also ends the subscription and closes its notifications.
  await expect.poll(() => registrations(phone)).toBe(0);
  expect(await inbox.sql("select endpoint from private.push_subscriptions")).toEqual([]);
  await signIn(phone, inbox);
  await phone.goto("/account");
  await expect(phone.getByText("تصلك والموقع مغلق")).toBeVisible();
  await turnOn(phone, inbox);
});

test("every push is shown, also one that cannot be read", async ({ phone, inbox }) => {
  const { site } = inbox;
  await turnOn(phone, inbox);
  const { push, shown } = await serviceWorkerOf(phone);
  const words = { title: "هند", body: "أريد صفحة هبوط", lang: "ar", dir: "rtl", tag: "first" };
  const navigate = `${site.url}/admin`;
  await push(JSON.stringify({ web_push: 8030, notification: { ...words, navigate } }));
  await expect.poll(shown).toEqual([{ ...words, data: navigate }]);
  const broken = ["", "no JSON", "null", "{}", '{"notification":{"title":""}}'];
  for (const [index, payload] of broken.entries()) {
    await push(payload);
    await expect.poll(async () => (await shown()).length).toBe(index + 2);
  }
  const titles = (await shown()).map(({ title, dir }) => `${dir} ${title}`);
  expect(titles.toSorted()).toEqual([...broken.map(() => "rtl رسالة جديدة"), "rtl هند"]);
});

test("a click focuses the open message, shows it on the open list, or opens it", async ({
  phone,
  inbox,
}) => {
  const { site } = inbox;
  await turnOn(phone, inbox);
  const { send } = await serviceWorkerOf(phone);
  const board = `${site.url}/admin`;
  const [first, second] = [randomUUID(), randomUUID()].map((id) => `${board}?open=${id}`);
  const click = async (data?: unknown) => (await send("notificationclick", { data })).at(-1);
  const elsewhere = ["https://evil.example/admin", `${site.url}.evil.example/`, "//evil.example"];
  for (const target of [board, ...elsewhere, 5, null]) {
    expect([target, await click(target)]).toEqual([target, `new ${board}`]);
  }
  expect(await click()).toBe(`new ${board}`);
  const tab = await phone.context().newPage();
  // Where the owner searches, sorts or selects, nothing is replaced.
  for (const place of ["?box=archived", "?select=1", "/empty"]) {
    await tab.goto(`/admin${place}`);
    expect(await click(board)).toBe(`new ${board}`);
    expect(await click(first)).toBe(`new ${first}`);
  }
  await tab.goto("/admin#sort");
  expect(await click(board)).toBe(`focused ${board}#sort`);
  for (const message of [first, second, second]) {
    expect(await click(message)).toBe(`focused ${message}`);
    await expect(tab).toHaveURL(message ?? "");
    // The worker does not see a page that is not there yet.
    await tab.waitForLoadState();
  }
  const account = `${site.url}/account#notifications`;
  expect(await click(account)).toBe(`new ${account}`);
});

test("a subscription that the browser ends is told, with the way to a new one", async ({
  phone,
  inbox,
}) => {
  await turnOn(phone, inbox);
  const { send, shown } = await serviceWorkerOf(phone);
  await send("pushsubscriptionchange", {});
  const [told] = await shown();
  expect(told).toMatchObject({ title: "توقفت تنبيهات هذا الجهاز", dir: "rtl" });
  expect(await send("notificationclick", { data: told?.["data"] })).toEqual([
    `new ${inbox.site.url}/account#notifications`,
  ]);
});
