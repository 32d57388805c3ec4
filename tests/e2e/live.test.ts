import { notice } from "#tests/support/browser/account.ts";
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
import { withSuperuser } from "#tests/support/superuser.ts";

test("a new message appears in the open inbox once, on top @scripts", async ({
  page,
  context,
  browser,
  site,
}) => {
  // Only the server formats dates.
  await page.addInitScript(() => {
    Object.defineProperty(Intl.DateTimeFormat.prototype, "format", { value: () => "by a script" });
  });
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  const first = newMessage();
  await leaveMessage(context, first);
  await signUp(page);
  await expect(cardOf(page, first)).toBeVisible();
  await expect(liveBadge(page)).toBeVisible();

  const second = newMessage("سارة\u2026");
  await leaveMessage(await browser.newContext(), second);

  const toast = notice(page, "رسالة جديدة!");
  await expect(toast.filter({ hasText: `من ${second.name}` })).toBeVisible();
  await expect(cardOf(page, second)).toHaveCount(1);
  await expect(page.getByRole("article").first()).toContainText(second.name);
  const date = cardOf(page, second).getByRole("time");
  await expect(date).toHaveText(/^[\u0660-\u0669]{1,2} .+ [\u0660-\u0669]{4} .+[صم]$/);
  const shown = await date.innerText();
  const third = newMessage();
  await leaveMessage(context, third);
  await expect(cardOf(page, third)).toHaveCount(1);
  await withSuperuser(
    site.dataDir,
    (sql) => sql`
      update public.contact_messages set archived_at = now() where name = ${third.name}`,
  );
  await expect(cardOf(page, third)).toHaveCount(0);
  await page.reload();
  await expect(date).toHaveText(shown);
  expect(faults).toEqual([]);
});

test("a board stays while the site is down, then becomes live by itself and misses nothing @scripts", async ({
  browser,
  start,
}) => {
  const site = await start();
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  await page.clock.install();
  const read = newMessage();
  expect(await postMessages(page.request, site, [read])).toEqual([302]);
  await signUp(page);
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
  await leaveMessage(context, after);
  await expect(cardOf(page, after)).toHaveCount(1);
});
