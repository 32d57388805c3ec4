import type { Page } from "playwright/test";
import { expect, isHydrated, signUp, test } from "#tests/support/browser/test.ts";
import { pages } from "#tests/support/routes.ts";

const isPlain = (url: URL) => !/^\/(auth|account|admin)(\/|$)/.test(url.pathname);

/** The links of a page to pages of the site without scripts. */
const plainLinks = async (page: Page) => {
  const all = await page
    .locator("main a[href], header a[href]")
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  const { origin } = new URL(page.url());
  return [...new Set(all)].filter((href) => {
    const url = new URL(href);
    return url.origin === origin && isPlain(url);
  });
};

test("every link of a page with scripts to one without asks for a document", async ({
  page,
  browser,
  site,
}) => {
  await signUp(page);
  const stranger = await browser.newPage({ baseURL: site.url });
  let followed = 0;
  for (const { path, session } of pages.filter((one) => !isPlain(new URL(one.path, site.url)))) {
    const tab = session === "needed" ? page : stranger;
    await tab.goto(path);
    const { pathname } = new URL(tab.url());
    for (const href of await plainLinks(tab)) {
      await tab.goto(pathname);
      await tab.waitForFunction(isHydrated);
      await tab.evaluate(() => Object.assign(window, { isSame: true }));
      const link = tab.locator(`a[href="${new URL(href).pathname}"]`).first();
      await link.evaluate((element: HTMLElement) => element.click());
      await expect(tab).toHaveURL(href);
      expect([pathname, href, await tab.evaluate(() => "isSame" in window)]).toEqual([
        pathname,
        href,
        false,
      ]);
      followed += 1;
    }
  }
  expect(followed).toBeGreaterThan(1);
});
