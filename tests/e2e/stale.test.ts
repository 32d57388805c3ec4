import type { Browser, Page } from "playwright/test";
import {
  cardOf,
  expect,
  liveBadge,
  newMessage,
  postMessages,
  signUp,
  test,
} from "#tests/support/browser/test.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

let site: RunningSite;
test.beforeAll(async () => {
  site = await startSite(
    {},
    `create table private.faults (is_on boolean);
     create function private.fail_if_on() returns boolean
       language plpgsql security definer set search_path = ''
       as $$ begin
         if (select is_on from private.faults) then raise exception 'a fault made for a test'; end if;
         return true;
       end $$;
     grant execute on function private.fail_if_on to authenticated;
     create policy "a fault made for a test" on public.contact_messages
       as restrictive for select to authenticated using (private.fail_if_on());`,
  );
});
test.afterAll(() => site.stop());
test.describe.configure({ mode: "serial" });
test.slow();

const setFault = (isOn: boolean) =>
  withSuperuser(site.dataDir, async (sql) => {
    await sql`delete from private.faults`;
    await sql`insert into private.faults values (${isOn})`;
  });

async function openBoard(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  await signUp(page);
  return page;
}

async function post(page: Page, name: string) {
  const text = newMessage(name);
  expect(await postMessages(page.request, site, [text])).toEqual([302]);
  return text;
}

const staleLine = (page: Page) => page.getByRole("status").filter({ hasText: "تعذّر تحديث اللوحة" });
const loading = (page: Page) => page.getByText("جاري التحميل...");
const toast = (page: Page) => page.getByRole("alert").filter({ hasText: "فشل تحميل الرسائل" });
const wakeUp = (page: Page) => page.evaluate(() => dispatchEvent(new Event("focus")));

/** Counts the board's reads. */
function countReads(page: Page) {
  const reads = { count: 0 };
  page.on("request", (request) => {
    reads.count += Number(request.url().includes("/admin.data"));
  });
  return reads;
}

test("the list stays while it cannot be reloaded, and is called stale once @scripts", async ({
  browser,
}) => {
  const spam = { ...newMessage("مزعجة"), spam_signs: ["trap"] };
  await storeMessages(site.dataDir, [spam]);
  const page = await openBoard(browser);
  const text = await post(page, "قبل العطل");
  await expect(cardOf(page, text)).toBeVisible();
  await expect(liveBadge(page)).toBeVisible();
  await page.getByRole("main").evaluate(() => {
    const status = document.querySelector("header [role=status]");
    const said: string[] = [];
    Object.assign(window, { said });
    const note = () => said.push(status?.textContent ?? "");
    const all = { childList: true, characterData: true, subtree: true };
    new MutationObserver(note).observe(status as Node, all);
  });

  await setFault(true);
  const reads = countReads(page);
  await wakeUp(page);
  await expect(staleLine(page)).toBeVisible();
  // An earlier version gave up after three tries.
  await expect.poll(() => reads.count, { timeout: 60_000 }).toBeGreaterThanOrEqual(5);
  await expect(cardOf(page, text)).toBeVisible();
  await expect(loading(page)).toHaveCount(0);
  await expect(toast(page)).toHaveCount(0);
  const said: string[] = await page.evaluate(() => Reflect.get(window, "said"));
  expect(said.filter((line) => line.includes("تعذّر"))).toHaveLength(1);

  await page.getByRole("link", { name: "المزعجة" }).click();
  await expect(loading(page)).toBeVisible();
  await expect(toast(page)).toBeVisible();
  await expect(cardOf(page, text)).toHaveCount(0);

  await setFault(false);
  await expect(loading(page)).toHaveCount(0, { timeout: 35_000 });
  await expect(staleLine(page)).toHaveCount(0);
  await expect(cardOf(page, spam)).toBeVisible();
  await page.getByRole("link", { name: "الرسائل" }).first().click();
  await expect(cardOf(page, text)).toBeVisible();
});

test("a load that fails with the connection leaves the list unchanged @scripts", async ({
  browser,
}) => {
  await setFault(false);
  const page = await openBoard(browser);
  const text = await post(page, "قبل الانقطاع");
  await expect(cardOf(page, text)).toBeVisible();
  await expect(liveBadge(page)).toBeVisible();
  await page.route(/\/admin\.data/, (route) => route.abort());
  await wakeUp(page);
  await expect(staleLine(page)).toBeVisible();
  await expect(cardOf(page, text)).toBeVisible();
  await expect(page.getByText("Unexpected Application Error!")).toHaveCount(0);
  await page.unrouteAll();
  await expect(staleLine(page)).toHaveCount(0, { timeout: 35_000 });
  await expect(cardOf(page, text)).toBeVisible();
});

test("a board that never loaded is retried until it loads", async ({ browser, scripts }) => {
  await setFault(false);
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  const text = await post(page, "قبل القراءة");
  await setFault(true);
  await signUp(page);
  await expect(loading(page)).toBeVisible();
  await expect(toast(page)).toBeVisible();
  await expect(staleLine(page)).toHaveCount(0);
  if (scripts) {
    const reads = countReads(page);
    await expect.poll(() => reads.count, { timeout: 60_000 }).toBeGreaterThanOrEqual(4);
    // Reported once: the first toast has gone, and no further try shows another.
    await expect(toast(page)).toHaveCount(0);
    await setFault(false);
  } else {
    await setFault(false);
    await page.getByRole("link", { name: "إعادة المحاولة" }).click();
  }
  await expect(cardOf(page, text)).toBeVisible({ timeout: 35_000 });
  if (scripts) {
    await expect(liveBadge(page)).toBeVisible();
  }
});

test("a message that was deleted elsewhere leaves the board and its count @scripts", async ({
  browser,
}) => {
  await setFault(false);
  await deleteMessages(site.dataDir);
  const page = await openBoard(browser);
  await expect(liveBadge(page)).toBeVisible();
  const count = page.getByRole("link", { name: /^الرسائل/ });
  const stays = await post(page, "باقية");
  const goes = await post(page, "محذوفة");
  await expect(cardOf(page, stays)).toHaveCount(1);
  await expect(cardOf(page, goes)).toHaveCount(1);
  await expect(count).toHaveText("الرسائل٢");
  await withSuperuser(
    site.dataDir,
    (sql) => sql`delete from public.contact_messages where name = ${goes.name}`,
  );
  await wakeUp(page);
  await expect(cardOf(page, goes)).toHaveCount(0);
  await expect(cardOf(page, stays)).toHaveCount(1);
  await expect(count).toHaveText("الرسائل١");
});
