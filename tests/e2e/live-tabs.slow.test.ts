import { chromium, type Page } from "playwright/test";
import { launchOptions } from "#tests/support/browser/chromium.ts";
import { test } from "#tests/support/browser/proxied.ts";
import { cookiesOf } from "#tests/support/browser/sites.ts";
import {
  become,
  cardOf,
  comeBack,
  expect,
  liveBadge,
  newMessage,
  openLive,
  postMessages,
} from "#tests/support/browser/test.ts";
import { freePort } from "#tests/support/site.ts";

/** A browser whose tabs can be frozen, which closes their sockets: those of Playwright's contexts cannot. */
async function startBrowser() {
  const port = await freePort();
  const args = [...(launchOptions.args ?? []), `--remote-debugging-port=${port}`];
  const launched = await chromium.launch({ ...launchOptions, args });
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true });
  const context = browser.contexts()[0] ?? (await browser.newContext());
  return {
    context,
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

test("a hidden board listens, also after a cut, and it and a frozen one miss nothing", async ({
  request,
  owned,
  site,
  siteProxy: proxy,
}) => {
  const texts = ["قبل القطع", "أثناء القطع", "بعد القطع"].map(newMessage);
  const [before, missed, after] = texts;
  const send = async (text = newMessage()) =>
    expect(await postMessages(request, site, [text])).toEqual([302]);
  const browser = await startBrowser();
  await browser.context.addCookies(cookiesOf(owned));
  // Messages are counted since the last one that a board has shown.
  await send();
  async function open() {
    const tab = await browser.context.newPage();
    await openLive(tab, `${proxy.url}/admin`);
    return tab;
  }
  const [frozen, hidden, shown] = [await open(), await open(), await open()];
  const thaw = await browser.freeze(frozen);
  await become(hidden, "hidden");
  let hiddenReads = 0;
  hidden.on("request", (asked) => (hiddenReads += Number(asked.url().includes(".data"))));

  await send(before);
  for (const tab of [hidden, shown]) {
    await expect(tab).toHaveTitle(/^\(١\) /);
  }
  // As while the site restarts.
  proxy.setRequests(() => 502);
  proxy.setSockets("refuse");
  expect(proxy.cut()).toBeGreaterThanOrEqual(2);
  await expect(shown.getByText("تعذّر تحديث اللوحة")).toBeVisible();
  await expect(liveBadge(hidden)).toHaveCount(0);
  await send(missed);
  proxy.setRequests(() => "pass");
  proxy.setSockets("pass");
  await expect(liveBadge(hidden)).toBeVisible();
  await send(after);
  await expect(hidden).toHaveTitle(/^\(٢\) /);
  expect(hiddenReads).toBe(0);
  await thaw();
  for (const tab of [frozen, hidden, shown]) {
    await become(tab, "visible");
    for (const text of texts) {
      await expect(cardOf(tab, text)).toHaveCount(1);
    }
    await expect(liveBadge(tab)).toBeVisible();
  }
  await expect(hidden).toHaveTitle(/^\(٣\) /);
  await browser.close();
});

test("a laptop that slept for a night is live again at once", async ({
  site,
  siteProxy: proxy,
  proxied: page,
}) => {
  await page.goto("/admin");
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
