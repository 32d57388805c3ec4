import type { Browser } from "playwright/test";
import { passSeconds } from "#tests/support/browser/clock.ts";
import { test } from "#tests/support/browser/proxied.ts";
import {
  beOwner,
  cardOf,
  comeBack,
  expect,
  liveBadge,
  newMessage,
  openLive,
  postMessages,
} from "#tests/support/browser/test.ts";
import type { RunningSite } from "#tests/support/site.ts";

const notLive = "التحديث الفوري متوقف الآن، وتُقرأ الرسائل كل نصف دقيقة.";

async function postMessage(browser: Browser, site: RunningSite, name: string) {
  const text = newMessage(name);
  const visitor = await browser.newContext({ baseURL: site.url });
  expect(await postMessages(visitor.request, site, [text])).toEqual([302]);
  await visitor.close();
  return text;
}

test("a dead connection is noticed, not called live, and replaced", async ({
  browser,
  site,
  siteProxy: proxy,
  proxied: page,
}) => {
  await page.goto("/admin");
  await expect(liveBadge(page)).toBeVisible();
  proxy.mute();
  proxy.setSockets("swallow");
  const missed = await postMessage(browser, site, "لم تصل");
  await page.clock.fastForward("01:00");
  await expect(liveBadge(page)).toHaveCount(0);
  await expect(cardOf(page, missed)).toHaveCount(1);
  proxy.setSockets("pass");
  await page.clock.fastForward("00:30");
  await expect(liveBadge(page)).toBeVisible();
});

for (const fault of ["refuse", "swallow"] as const) {
  test(`a board without sockets (${fault}) says so, polls, and becomes live again`, async ({
    browser,
    site,
    siteProxy: proxy,
    proxied: page,
  }) => {
    proxy.setSockets(fault);
    await page.clock.pauseAt(Date.now() + 10_000);
    await Promise.all([page.waitForEvent("websocket"), page.goto("/admin")]);
    await expect(page.getByText("لا توجد رسائل بعد").or(page.getByRole("article"))).not.toHaveCount(
      0,
    );
    await passSeconds(page, 9);
    await expect(page.getByText(notLive)).toHaveCount(0);
    await passSeconds(page, 2);
    await expect(page.getByRole("status").filter({ hasText: notLive })).toBeVisible();
    await expect(liveBadge(page)).toHaveCount(0);
    for (const name of ["أولى", "ثانية"]) {
      const text = await postMessage(browser, site, name);
      await passSeconds(page, 31);
      await expect(cardOf(page, text)).toHaveCount(1);
    }
    await expect(page.getByText(notLive)).toBeVisible();
    proxy.setSockets("pass");
    // When the network or the user is back it does not wait, or for a second if a try just fails.
    await comeBack(page);
    await (fault === "refuse"
      ? passSeconds(page, 2)
      : expect(async () => {
          await page.clock.runFor(1000);
          // A try lasts ten of these seconds, in which the site answers.
          await expect(liveBadge(page)).toBeVisible({ timeout: 200 });
        }).toPass());
    await expect(liveBadge(page)).toBeVisible();
    await expect(page.getByText(notLive)).toHaveCount(0);
  });
}

test("a list that is cut off leaves the one before, and no error", async ({
  siteProxy: proxy,
  proxied: page,
}) => {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.goto("/admin");
  await expect(liveBadge(page)).toBeVisible();
  await page.clock.runFor("00:02");
  const failed = page.waitForEvent("requestfailed", (request) =>
    request.url().includes("/admin.data"),
  );
  proxy.setRequests((path) => (path.startsWith("/admin.data") ? "cut" : "pass"));
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await failed;
  await expect(page.getByText("تعذّر تحديث اللوحة")).toBeVisible();
  proxy.setRequests(() => "pass");
  await page.clock.runFor("00:05");
  await expect(liveBadge(page)).toBeVisible();
  expect(errors).toEqual([]);
});

test("a board stays while the site is down, then becomes live by itself and misses nothing", async ({
  owned,
  site,
  page,
}) => {
  await page.clock.install();
  const read = newMessage();
  expect(await postMessages(page.request, site, [read])).toEqual([302]);
  await beOwner(page, owned);
  await openLive(page);
  await site.end("SIGKILL");
  const failed = page.waitForEvent("requestfailed");
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await failed;
  await expect(liveBadge(page)).toHaveCount(0);
  await expect(cardOf(page, read)).toBeVisible();
  await site.restart("SIGKILL");
  const missed = newMessage("أثناء الانقطاع");
  expect(await postMessages(page.request, site, [missed])).toEqual([302]);
  await page.clock.fastForward("00:30");
  await expect(cardOf(page, missed)).toHaveCount(1);
  await expect(liveBadge(page)).toBeVisible();
  const after = newMessage("بعد الانقطاع");
  expect(await postMessages(page.request, site, [after])).toEqual([302]);
  await expect(cardOf(page, after)).toHaveCount(1);
});
