import {
  cardOf,
  expect,
  leaveMessage,
  liveBadge,
  newMessage,
  openLive,
  postMessages,
  signUp,
  test,
} from "#tests/support/browser/test.ts";

test("a new message appears in the open inbox once, on top", async ({
  page,
  context,
  browser,
  scripts,
}) => {
  const first = newMessage();
  await leaveMessage(context, first);
  await signUp(page);
  await expect(cardOf(page, first)).toBeVisible();
  if (scripts) {
    await expect(liveBadge(page)).toBeVisible();
  }

  const second = newMessage("سارة\u2026");
  await leaveMessage(await browser.newContext(), second);

  if (scripts) {
    const toast = page.getByRole("status").filter({ hasText: "رسالة جديدة!" });
    await expect(toast.filter({ hasText: `من ${second.name}` })).toBeVisible();
  } else {
    await page.reload();
  }
  await expect(cardOf(page, second)).toHaveCount(1);
  await expect(page.getByRole("article").first()).toContainText(second.name);
});

test("the board is live after an hour's sleep @scripts", async ({ page, context }) => {
  await page.clock.install();
  await signUp(page);
  await expect(liveBadge(page)).toBeVisible();
  const opened = page.waitForEvent("websocket");
  await page.clock.fastForward("01:00:00");
  await opened;
  await expect(liveBadge(page)).toBeVisible();
  const text = newMessage("بعد النوم");
  await leaveMessage(context, text);
  await expect(cardOf(page, text)).toHaveCount(1);
});

test("messages stay while the site is unreachable, and new ones follow @scripts", async ({
  page,
  context,
  browser,
  site,
}) => {
  const read = newMessage();
  await leaveMessage(context, read);
  await signUp(page);
  await expect(liveBadge(page)).toBeVisible();
  await expect(cardOf(page, read)).toBeVisible();
  await context.setOffline(true);
  await page.evaluate(() => {
    dispatchEvent(new Event("focus"));
    document.dispatchEvent(new Event("visibilitychange"));
  });
  const missed = newMessage("أثناء الانقطاع");
  const visitor = await browser.newContext();
  expect(await postMessages(visitor.request, site, [missed])).toEqual([302]);
  await expect(cardOf(page, read)).toBeVisible();
  await context.setOffline(false);
  await expect(cardOf(page, missed)).toHaveCount(1, { timeout: 20_000 });
  await expect(cardOf(page, read)).toHaveCount(1);
});

test("a board stays while the site is down, then becomes live by itself and misses nothing @scripts", async ({
  browser,
  start,
}) => {
  test.slow();
  const site = await start();
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  await signUp(page);
  await openLive(page);
  await site.end("SIGKILL");
  const failed = page.waitForEvent("requestfailed");
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await failed;
  await expect(liveBadge(page)).toHaveCount(0);
  await expect(page.getByText("لا توجد رسائل بعد")).toBeVisible();
  await site.restart("SIGKILL");
  const missed = newMessage("أثناء الانقطاع");
  expect(await postMessages(page.request, site, [missed])).toEqual([302]);
  await expect(cardOf(page, missed)).toHaveCount(1, { timeout: 20_000 });
  await expect(liveBadge(page)).toBeVisible();
  const after = newMessage("بعد الانقطاع");
  await leaveMessage(context, after);
  await expect(cardOf(page, after)).toHaveCount(1);
});
