import type { Page } from "playwright/test";
import type { ClaimedSite } from "#tests/support/claimed-site.ts";
import { deleteMessages } from "#tests/support/messages.ts";
import { cookiesOf } from "./board.ts";
import { test as base } from "./test.ts";

interface Fixtures {
  /** SQL statements that store each test's messages, in place of all others. */
  seed: string;
  inbox: ClaimedSite;
  board: Page;
}

/** A Playwright test on a site with an owner, with a page of the owner's browser. */
export const test = base.extend<Fixtures>({
  seed: ["", { option: true }],
  inbox: async ({ owned, seed }, use) => {
    if (seed !== "") {
      await deleteMessages(owned.site.dataDir);
      await owned.sql(seed);
    }
    await use(owned);
  },
  board: async ({ browser, inbox: { site }, owned }, use) => {
    const context = await browser.newContext({ baseURL: site.url });
    await context.addCookies(cookiesOf(owned));
    await use(await context.newPage());
  },
});
