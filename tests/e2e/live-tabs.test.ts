import { chromium, type Page } from "playwright/test";
import { launchOptions } from "#tests/support/browser/chromium.ts";
import { test } from "#tests/support/browser/proxied.ts";
import {
  cardOf,
  comeBack,
  expect,
  liveBadge,
  newMessage,
  postMessages,
  signUp,
} from "#tests/support/browser/test.ts";
import { freePort } from "#tests/support/site.ts";

/**
 * A browser whose tabs can be hidden and frozen: those of Playwright's contexts are always visible, and
 * never stop.
 */
async function startBrowser() {
  const port = await freePort();
  const options = await launchOptions();
  const args = [...(options.args ?? []), `--remote-debugging-port=${port}`];
  const launched = await chromium.launch({ ...options, args });
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true });
  const context = browser.contexts()[0] ?? (await browser.newContext());
  return {
    context,
    /** Also hides it, until it is brought to the front. */
    async freeze(page: Page) {
      const session = await context.newCDPSession(page);
      const setState = (state: "frozen" | "active") =>
        session.send("Page.setWebLifecycleState", { state });
      await setState("frozen");
      return () => setState("active");
    },
    close: () => launched.close(),
  };
}

test("eight tabs, some hidden or frozen, are live again after a cut and miss nothing @scripts", async ({
  page: visitor,
  site,
  siteProxy: proxy,
}) => {
  const browser = await startBrowser();
  await signUp(visitor);
  await browser.context.addCookies(await visitor.context().cookies());
  const tabs: Page[] = [];
  while (tabs.length < 8) {
    const tab = await browser.context.newPage();
    await tab.goto(`${proxy.url}/admin`);
    await expect(liveBadge(tab)).toBeVisible();
    tabs.push(tab);
  }
  const [frozen, awake] = [tabs.slice(0, 2), tabs.slice(2)];
  const thaws = await Promise.all(frozen.map(browser.freeze));
  const hidden = awake.slice(0, 3);
  for (const tab of hidden) {
    const thaw = await browser.freeze(tab);
    await thaw();
    expect(await tab.evaluate(() => document.visibilityState)).toBe("hidden");
  }

  const before = newMessage("قبل القطع");
  const missed = newMessage("أثناء القطع");
  const after = newMessage("بعد القطع");
  const send = (message: typeof before) => postMessages(visitor.request, site, [message]);
  expect(await send(before)).toEqual([302]);
  for (const tab of awake) {
    await expect(cardOf(tab, before)).toHaveCount(1);
    await expect(liveBadge(tab)).toBeVisible();
  }
  for (const tab of frozen) {
    await expect(cardOf(tab, before)).toHaveCount(0);
  }
  // As while the site restarts.
  proxy.setRequests(() => 502);
  proxy.setSockets("refuse");
  expect(proxy.cut()).toBeGreaterThanOrEqual(awake.length);
  for (const tab of awake) {
    await expect(tab.getByText("تعذّر تحديث اللوحة")).toBeVisible();
  }
  expect(await send(missed)).toEqual([302]);
  proxy.setRequests(() => "pass");
  proxy.setSockets("pass");
  await Promise.all(thaws.map((thaw) => thaw()));
  for (const tab of tabs) {
    await expect(cardOf(tab, missed)).toHaveCount(1);
    await expect(liveBadge(tab)).toBeVisible();
  }
  expect(await send(after)).toEqual([302]);
  for (const tab of tabs) {
    for (const message of [before, missed, after]) {
      await expect(cardOf(tab, message)).toHaveCount(1);
    }
  }
  await browser.close();
});

test("a board behind a proxy that cuts each minute is live again within seconds @scripts", async ({
  site,
  siteProxy: proxy,
  proxied: page,
}) => {
  await signUp(page);
  await expect(liveBadge(page)).toBeVisible();
  for (const name of ["أولى", "ثانية", "ثالثة"]) {
    await page.clock.fastForward("00:55");
    expect(proxy.cut()).toBe(1);
    await expect(liveBadge(page)).toHaveCount(0);
    const missed = newMessage(name);
    expect(await postMessages(page.request, site, [missed])).toEqual([302]);
    await page.clock.runFor("00:01");
    await expect(liveBadge(page)).toBeVisible();
    await page.clock.runFor("00:02");
    await expect(cardOf(page, missed)).toHaveCount(1);
  }
});

test("a laptop that slept for a night is live again at once @scripts", async ({
  site,
  siteProxy: proxy,
  proxied: page,
}) => {
  await signUp(page);
  await expect(liveBadge(page)).toBeVisible();
  await page.clock.pauseAt(Date.now() + 10_000);
  // Nobody told the two ends that the connection is dead.
  proxy.mute();
  const missed = newMessage();
  expect(await postMessages(page.request, site, [missed])).toEqual([302]);
  await page.clock.setSystemTime(Date.now() + 8 * 60 * 60 * 1000);
  await comeBack(page);
  await page.clock.runFor("00:01");
  await expect(cardOf(page, missed)).toHaveCount(1);
  await expect(liveBadge(page)).toBeVisible();
  // Nothing but a new socket brings it.
  const after = newMessage();
  expect(await postMessages(page.request, site, [after])).toEqual([302]);
  await expect(cardOf(page, after)).toHaveCount(1);
});
