import type { Page } from "playwright/test";
import { startProxy } from "#tests/support/proxy.ts";
import { beOwner, test as base } from "./test.ts";

interface Fixtures {
  siteProxy: Awaited<ReturnType<typeof startProxy>>;
  /** A page of the owner that reaches the site through the proxy, with Playwright's clock. */
  proxied: Page;
}

/** A Playwright test with a proxy between its page and the site of its worker. */
export const test = base.extend<Fixtures>({
  siteProxy: async ({ site }, use) => {
    const proxy = await startProxy(site);
    await use(proxy);
    await proxy.stop();
  },
  proxied: async ({ browser, siteProxy, owned }, use) => {
    const context = await browser.newContext({ baseURL: siteProxy.url });
    const page = await context.newPage();
    await beOwner(page, owned);
    await page.clock.install();
    await use(page);
    await context.close();
  },
});
