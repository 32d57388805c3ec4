import { test } from "#tests/support/browser/proxied.ts";
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

test("a hidden board listens, also after a cut, and misses nothing", async ({
  request,
  site,
  siteProxy: proxy,
  proxied: shown,
}) => {
  const texts = ["قبل القطع", "أثناء القطع", "بعد القطع"].map(newMessage);
  const [before, missed, after] = texts;
  const send = async (text = newMessage()) =>
    expect(await postMessages(request, site, [text])).toEqual([302]);
  // Messages are counted since the last one that a board has shown.
  await send();
  await openLive(shown);
  const hidden = await shown.context().newPage();
  for (const tab of [hidden, shown]) {
    await openLive(tab);
  }
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
  for (const tab of [hidden, shown]) {
    await become(tab, "visible");
    for (const text of texts) {
      await expect(cardOf(tab, text)).toHaveCount(1);
    }
    await expect(liveBadge(tab)).toBeVisible();
  }
  await expect(hidden).toHaveTitle(/^\(٣\) /);
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
