import type { Page } from "playwright/test";
import {
  cardOf,
  expect,
  liveBadge,
  newMessage,
  postMessages,
  signUp,
  untilReadAgain,
  test,
} from "#tests/support/browser/test.ts";
import { storeMessages } from "#tests/support/messages.ts";
import type { RunningSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

/** Reads of an account fail from now on, or work again. */
const setFault = (site: RunningSite, { email }: { email: string }, isOn: boolean) =>
  withSuperuser(site.dataDir, (sql) =>
    isOn
      ? sql`insert into private.broken values (${email})`
      : sql`delete from private.broken where address = ${email}`,
  );

async function post(page: Page, site: RunningSite, name: string) {
  const text = newMessage(name);
  expect(await postMessages(page.request, site, [text])).toEqual([302]);
  return text;
}

const staleLine = (page: Page) => page.getByRole("status").filter({ hasText: "تعذّر تحديث اللوحة" });
const loading = (page: Page) => page.getByText("جاري التحميل...");
const toast = (page: Page) => page.getByRole("alert").filter({ hasText: "فشل تحميل الرسائل" });
const wakeUp = (page: Page) => page.evaluate(() => dispatchEvent(new Event("focus")));

test("the list stays while it cannot be reloaded, and is called stale once @scripts", async ({
  page,
  site,
}) => {
  await page.clock.install();
  const spam = { ...newMessage("مزعجة"), spam_signs: ["trap"] };
  await storeMessages(site.dataDir, [spam]);
  const account = await signUp(page);
  const text = await post(page, site, "قبل العطل");
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

  await setFault(site, account, true);
  await wakeUp(page);
  await expect(staleLine(page)).toBeVisible();
  // An earlier version gave up after three tries.
  for (let retry = 1; retry <= 5; retry += 1) {
    await untilReadAgain(page);
  }
  await expect(cardOf(page, text)).toBeVisible();
  await expect(loading(page)).toHaveCount(0);
  await expect(toast(page)).toHaveCount(0);
  const said: string[] = await page.evaluate(() => Reflect.get(window, "said"));
  expect(said.filter((line) => line.includes("تعذّر"))).toHaveLength(1);

  await page.getByRole("link", { name: "المزعجة" }).click();
  await expect(loading(page)).toBeVisible();
  await expect(toast(page)).toBeVisible();
  await expect(cardOf(page, text)).toHaveCount(0);

  await setFault(site, account, false);
  await page.clock.runFor("00:31");
  await expect(loading(page)).toHaveCount(0);
  await expect(staleLine(page)).toHaveCount(0);
  await expect(cardOf(page, spam)).toBeVisible();
  await page.getByRole("link", { name: "الرسائل" }).first().click();
  await expect(cardOf(page, text)).toBeVisible();
});
