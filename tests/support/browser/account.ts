import type { Page } from "playwright/test";
import { mailsTo, type ReceivedMail } from "#tests/support/mails.ts";
import type { RunningSite } from "#tests/support/site.ts";
import { expect, isHydrated } from "./test.ts";

/** Locates a notice by its title: a toast, or a part of the page. */
export const notice = (page: Page, title: string) =>
  page
    .getByRole("status")
    .or(page.getByRole("alert"))
    .or(page.getByRole("region", { name: "الإشعارات" }).locator("> *"))
    .filter({ hasText: title });

/** Waits until the page's scripts run, and focuses a field. */
export async function startScripts(page: Page, label = "البريد الإلكتروني") {
  await page.waitForFunction(isHydrated);
  await page.getByLabel(label).focus();
  await page.waitForLoadState("networkidle");
}

/** The first of the board: one that shows nothing has two. */
export const signOutButton = (page: Page) =>
  page.getByRole("button", { name: "تسجيل الخروج" }).first();

/** Waits for the nth mail with a link to an address. Returns its code, and its link as a path. */
export async function mailTo(site: RunningSite, email: string, number = 1) {
  let mail: ReceivedMail | undefined;
  await expect
    .poll(async () => {
      mail = (await mailsTo(site, email)).filter(({ link }) => link)[number - 1];
      return mail?.link;
    })
    .toBeDefined();
  return { code: mail?.code ?? "", link: `${mail?.link?.pathname}${mail?.link?.search}` };
}
