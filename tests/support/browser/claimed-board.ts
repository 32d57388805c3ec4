import type { Page } from "playwright/test";
import { type ClaimedSite, startClaimedSite } from "#tests/support/claimed-site.ts";
import { test as base } from "./test.ts";

/** A Playwright test on a site with an owner, one per worker, with the owner's browser. */
export const test = base.extend<{ board: Page }, { inbox: ClaimedSite; seed: string }>({
  /** SQL statements to run first. Each distinct seed gets its own worker. */
  seed: ["", { option: true, scope: "worker" }],
  inbox: [
    async ({ seed }, use) => {
      const inbox = await startClaimedSite();
      await inbox.sql(seed);
      await use(inbox);
      await inbox.site.stop();
    },
    { scope: "worker" },
  ],
  board: async ({ browser, inbox: { site, owner } }, use) => {
    const context = await browser.newContext({ baseURL: site.url });
    await context.addCookies(
      Array.from(owner.cookies, ([name, value]) => ({ name, value, url: site.url })),
    );
    await use(await context.newPage());
  },
});
