import type { Route } from "playwright/test";
import { owner } from "#app/content/owner.ts";
import { linkedChannels, shown } from "#app/content/shown.ts";
import { visibleAddress } from "#app/routes/home/visible-address.server.ts";
import { test } from "#tests/support/browser/proxied.ts";
import {
  expect,
  fillMessage,
  isHydrated,
  newMessage,
  sendMessage,
  signUp,
} from "#tests/support/browser/test.ts";

test("the contact page shows what the specification lists", async ({ page, site }) => {
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.getByText(owner.title, { exact: true })).toBeVisible();

  const all = shown(owner.channels);
  const linked = linkedChannels(owner.channels);
  const channels = page.getByRole("list", { name: "قنوات التواصل" });
  await expect(channels.getByRole("listitem")).toHaveCount(all.length);
  await expect(channels.getByText("قريبًا")).toHaveCount(all.length - linked.length);
  await expect(channels.getByRole("link")).toContainText(
    linked.map(({ icon, link }) => visibleAddress(icon, link)),
  );

  const works = page.getByRole("region", { name: "أعمالي" });
  await expect(works.getByRole("link")).toHaveCount(shown(owner.works).length);
  await expect(works.getByRole("presentation")).toHaveCount(
    shown(owner.works).filter(({ picture }) => picture !== undefined).length,
  );
  const services = page.getByRole("region", { name: "خدماتي" });
  const links = await services
    .getByRole("link")
    .evaluateAll((anchors) => anchors.map((link) => (link as HTMLAnchorElement).href));
  expect(links).toEqual(shown(owner.services).map(({ link }) => new URL(link, site.url).href));

  const start = page.getByRole("link", { name: "Start Your Project Today" });
  const chat = new URL((await start.getAttribute("href")) ?? "");
  expect([chat.host, chat.pathname]).toEqual(["wa.me", `/${owner.phone}`]);
  expect(chat.searchParams.get("text")).toBe(owner.projectMessage);
  await expect(page.getByRole("contentinfo")).toContainText("2025");
  await expect(page.locator('a[href="#"], a[href=""], a:not([href])')).toHaveCount(0);
});

test("the footer links to the inbox, and one click leads back @once", async ({ page }) => {
  await signUp(page);
  await page.getByRole("link", { name: "الرئيسية" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
  await page.getByRole("contentinfo").getByRole("link", { name: "لوحة الرسائل" }).click();
  await expect(page).toHaveURL(/\/admin$/);
});

test("the form's card confirms the message, also without cookies, until the visitor goes on", async ({
  page,
  context,
  scripts,
}) => {
  await page.clock.install();
  await page.goto("/");
  const text = newMessage();
  await fillMessage(page, text);
  await context.clearCookies();
  await sendMessage(page);
  const thanks = page.getByRole("region", { name: "وصلت رسالتك" }).getByRole("status");
  const when = owner.answerTime === undefined ? "" : ` ${owner.answerTime}`;
  await expect(thanks).toContainText(`شكرًا لك. سأقرؤها بنفسي، وأرد على بريدك${when}.`);
  await expect(thanks.getByRole("heading")).toBeFocused();
  const sent = page.getByRole("region", { name: "وصلت رسالتك" });
  await expect(sent.getByRole("blockquote")).toHaveText(text.message);
  await expect(sent.getByRole("time")).toHaveAttribute("datetime", /^\d{4}-/);
  await expect(thanks).toBeInViewport();
  // No notice. The page that scripts load after the form begins a visit of its own.
  const names = (await context.cookies()).map(({ name }) => name);
  expect(names.filter((name) => name !== "visit")).toEqual([]);
  if (scripts) {
    await page.clock.runFor(60_000);
  }
  await expect(thanks).toBeVisible();

  await page.getByRole("link", { name: "كتابة رسالة أخرى" }).click();
  await expect(page.getByLabel("الرسالة")).toHaveValue("");
  await expect(page.getByText("وصلت رسالتك")).toHaveCount(0);
  expect(new URL(page.url()).search).toBe("");
});

test("a connection that fails while sending loses nothing @scripts", async ({ page }) => {
  const text = newMessage();
  await page.goto("/");
  await fillMessage(page, text);
  const phone = page.getByLabel("رقم واتساب (اختياري)");
  await phone.fill("0501234567");
  await page.waitForFunction(isHydrated);
  for (const answer of [
    (route: Route) => route.abort(),
    (route: Route) => route.fulfill({ status: 502, body: "Bad Gateway" }),
  ]) {
    // The sentence of the first try stands there during the second one.
    const answered = Promise.withResolvers<void>();
    await page.route(/\.data/, (route) => answer(route).then(answered.resolve));
    await sendMessage(page);
    await answered.promise;
    await expect(page.getByRole("alert")).toContainText("لا يُعرف هل وصلت رسالتك");
    await expect(page.getByLabel("الاسم")).toHaveValue(text.name);
    await expect(page.getByLabel("البريد الإلكتروني")).toHaveValue(text.email);
    await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
    await expect(phone).toHaveValue("0501234567");
    await page.unrouteAll();
  }
  await sendMessage(page);
  await expect(page.getByRole("status").filter({ hasText: "وصلت رسالتك" })).toBeVisible();
  await expect(page.getByLabel("الرسالة")).toHaveCount(0);
});

test("a form without a response is reported, and the page keeps the text @scripts", async ({
  siteProxy: proxy,
  proxied: page,
}) => {
  await page.goto("/");
  const text = newMessage();
  await fillMessage(page, text);
  await page.waitForFunction(isHydrated);
  proxy.setRequests((path) => (path.endsWith(".data") ? "swallow" : "pass"));
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await sendMessage(page);
  await sent;
  await page.clock.fastForward("00:20");
  await expect(page.getByText("لا يُعرف هل وصلت رسالتك.")).toBeVisible();
  await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
  proxy.setRequests(() => "pass");
  await sendMessage(page);
  await expect(page.getByText("وصلت رسالتك")).toBeVisible();
});
