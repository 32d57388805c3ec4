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

test("eight tabs, some hidden or frozen, are live again after a cut and miss nothing @scripts", async ({
  browser,
  site,
  siteProxy: proxy,
}) => {
  const context = await browser.newContext({ baseURL: proxy.url });
  const first = await context.newPage();
  await signUp(first);
  const others = await Promise.all(Array.from({ length: 7 }, () => context.newPage()));
  const tabs = [first, ...others];
  await Promise.all(others.map((page) => page.goto("/admin")));
  for (const page of tabs) {
    await expect(liveBadge(page)).toBeVisible();
  }
  const frozen = await Promise.all(others.slice(0, 2).map((page) => context.newCDPSession(page)));
  const setState = (state: "frozen" | "active") =>
    Promise.all(frozen.map((tab) => tab.send("Page.setWebLifecycleState", { state })));
  const hidden = others.slice(2, 5);
  const setVisibility = (value: string) =>
    Promise.all(
      hidden.map((page) =>
        page.evaluate((state) => {
          Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
          document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
        }, value),
      ),
    );
  await setState("frozen");
  await setVisibility("hidden");

  const before = newMessage("قبل القطع");
  const missed = newMessage("أثناء القطع");
  const after = newMessage("بعد القطع");
  const send = (message: typeof before) => postMessages(context.request, site, [message]);
  expect(await send(before)).toEqual([302]);
  for (const page of [first, ...others.slice(2)]) {
    await expect(cardOf(page, before)).toHaveCount(1);
  }
  proxy.setSockets("refuse");
  expect(proxy.cut()).toBe(8);
  expect(await send(missed)).toEqual([302]);
  proxy.setSockets("pass");
  await setState("active");
  await setVisibility("visible");
  for (const page of tabs) {
    await comeBack(page);
    await expect(liveBadge(page)).toBeVisible();
  }
  expect(await send(after)).toEqual([302]);
  for (const page of tabs) {
    for (const message of [before, missed, after]) {
      await expect(cardOf(page, message)).toHaveCount(1);
    }
  }
  await context.close();
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
});
