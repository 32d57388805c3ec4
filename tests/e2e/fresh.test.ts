import type { Page, Response } from "playwright/test";
import {
  cardOf,
  expect,
  liveBadge,
  type MessageText,
  newMessage,
  openLive,
  postMessages,
  signUp,
  test,
} from "#tests/support/browser/test.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const line = (page: Page) => page.getByText("الجديد منذ زيارتك الأخيرة");
const title = "لوحة الرسائل";
const spamTitle = `المزعجة · ${title}`;

/** The request that reports how far the page was seen. */
const isNote = (answer: Response) => answer.request().method() === "POST";

/** The line ends the message above it. This one follows. */
const isBelow = (page: Page, text: MessageText) =>
  expect(
    page
      .getByRole("listitem")
      .filter({ has: line(page) })
      .locator("+ li")
      .getByRole("heading", { name: text.name }),
  ).toHaveCount(1);

test.beforeEach(({ site }) => deleteMessages(site.dataDir));

test("messages since the last visit are above a line and counted in the title", async ({
  page,
  request,
  scripts,
  site,
}) => {
  const send = (...texts: MessageText[]) => postMessages(request, site, texts);
  const old = newMessage("قديمة");
  expect(await send(newMessage("أقدم"), old)).toEqual([302, 302]);
  await signUp(page);
  await expect(cardOf(page, old)).toBeVisible();
  await expect(page).toHaveTitle(title);
  await expect(line(page)).toHaveCount(0);
  await page.goto("/account");

  await send(newMessage("أولى"));
  await page.goto("/admin?box=spam");
  await expect(page).toHaveTitle(`(١) ${spamTitle}`);
  const opened = scripts && page.waitForResponse(isNote);
  await page.goto("/admin");
  await expect(page).toHaveTitle(`(١) ${title}`);
  await isBelow(page, old);
  if (scripts) {
    await expect(liveBadge(page)).toBeVisible();
    await opened;
    const noted = page.waitForResponse(isNote);
    await send(newMessage("ثانية"));
    await expect(page).toHaveTitle(`(٢) ${title}`);
    await isBelow(page, old);
    await noted;
    // A load changes neither.
    await withSuperuser(
      site.dataDir,
      (sql) => sql`update public.contact_messages set answered_at = now() where name = ${old.name}`,
    );
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await expect(cardOf(page, old)).toContainText("تم الرد");
    await expect(page).toHaveTitle(`(٢) ${title}`);
    await isBelow(page, old);
  }
  await page.reload();
  await expect(page).toHaveTitle(title);
  await expect(line(page)).toHaveCount(0);
});

test("a board in the background marks nothing as seen @scripts", async ({
  page,
  context,
  request,
  site,
}) => {
  const text = newMessage();
  await signUp(page);
  await openLive(page);
  await hide(page, true);
  await postMessages(request, site, [newMessage("سابقة"), text]);
  await expect(page).toHaveTitle(`(٢) ${title}`);

  const phone = await context.newPage();
  await phone.goto("/admin?box=spam");
  await expect(phone).toHaveTitle(`(٢) ${spamTitle}`);
  await expect(liveBadge(phone)).toBeVisible();
  await hide(phone, true);
  await postMessages(request, site, [newMessage("ثالثة")]);
  await expect(phone).toHaveTitle(`(٣) ${spamTitle}`);
  const noted = page.waitForResponse(isNote);
  await hide(page, false);
  expect((await noted).status()).toBe(204);
  await phone.reload();
  await expect(phone).toHaveTitle(spamTitle);
  await expect(page).toHaveTitle(`(٣) ${title}`);
});

test("a page full of new messages is counted in the title, also after a load @scripts", async ({
  page,
  request,
  site,
}) => {
  await postMessages(request, site, [newMessage("قديمة")]);
  await signUp(page);
  await openLive(page);
  const many = Array.from({ length: 50 }, () => newMessage());
  await storeMessages(
    site.dataDir,
    many.map((text) => ({ ...text, created_at: new Date() })),
  );
  await expect(page).toHaveTitle(`(٥٠) ${title}`);
  const loaded = page.waitForResponse(/\/admin\.data/);
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await loaded;
  await expect(page.getByRole("article")).toHaveCount(50);
  await expect(page).toHaveTitle(`(٥٠) ${title}`);
});

test("more new messages than a board keeps stay counted in the title, also after a load @scripts", async ({
  page,
  site,
}) => {
  await signUp(page);
  await openLive(page);
  const arrive = (count: number) =>
    storeMessages(
      site.dataDir,
      Array.from({ length: count }, () => ({ ...newMessage(), created_at: new Date() })),
    );
  await arrive(40);
  await expect(page).toHaveTitle(`(٤٠) ${title}`);
  // The list is full, and read again.
  const loaded = page.waitForResponse(/\/admin\.data/);
  await arrive(70);
  await loaded;
  await expect(page.getByRole("article")).toHaveCount(50);
  await expect(page).toHaveTitle(`(+٩٩) ${title}`);
});

test("during a flood a board reports what was seen every few seconds, and the last message too @scripts", async ({
  page,
  request,
  site,
}) => {
  await page.clock.install();
  await signUp(page);
  await expect(liveBadge(page)).toBeVisible();
  const now = () => page.evaluate(() => performance.now());
  const since = await now();
  const reports: Promise<Response | null>[] = [];
  page.on("request", (sent) => sent.method() === "POST" && reports.push(sent.response()));
  for (let second = 1; second <= 7; second += 1) {
    await postMessages(request, site, [newMessage()]);
    await expect(page.getByRole("article")).toHaveCount(second);
    await page.clock.runFor(1000);
  }
  await page.clock.runFor(5500);
  await expect.poll(() => reports.length).toBeGreaterThan(1);
  expect(reports.length).toBeLessThanOrEqual(1 + ((await now()) - since) / 5000);
  await Promise.all(reports);
  await page.reload();
  await expect(page).toHaveTitle(title);
});

/** Playwright reports every page as visible. */
async function hide(page: Page, isHidden: boolean) {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, value: state });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    },
    isHidden ? "hidden" : "visible",
  );
}
