import { readFileSync } from "node:fs";
import type { AxeResults, RunOptions } from "axe-core";
import type { Browser, Page } from "playwright/test";
import { newAddress } from "#tests/support/address.ts";
import type { ClaimedSite } from "#tests/support/claimed-site.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import { signedUp } from "#tests/support/visitor.ts";
import { cookiesOf } from "./sites.ts";
import type { Look } from "./states.ts";
import { expect, isHydrated, test as base } from "./test.ts";

interface Fixtures {
  /** Opens a state of a page in a window of this size, with the same inbox for each. */
  open(state: Look, viewport: { width: number; height: number }): Promise<Page>;
}

const row = { email: "visitor@example.com", phone: "966501234567", note: "ملاحظة" };
const hourMs = 60 * 60 * 1000;
/** Each is an hour older than the one before; the last one is late. */
const messages = [
  { name: "نورة" },
  { name: "سعد" },
  { name: "ليلى" },
  { name: Array.from({ length: 22 }, () => "علي").join(" ") },
  { name: "مزعج", spam_signs: ["haste", "links"] },
  { name: "محذوف", deleted_at: new Date() },
  { name: "متأخر", created_at: new Date(Date.now() - 30 * 24 * hourMs) },
].map((message, index) => ({
  ...row,
  message: `رسالة ${message.name}`,
  created_at: new Date(Date.now() - index * hourMs),
  ...message,
}));

/** The page in which a worker opens the states of a reader: a new one for each takes twice the CPU. */
const pages = new Map<Look["reader"], Page>();

async function pageOf(reader: Look["reader"], owned: ClaimedSite, browser: Browser): Promise<Page> {
  const former = pages.get(reader);
  if (former && !former.isClosed()) {
    return former;
  }
  const { site } = owned;
  const page = await browser.newPage({ baseURL: site.url });
  pages.set(reader, page);
  if (reader === "owner") {
    await page.context().addCookies(cookiesOf(owned));
  } else if (reader === "holder") {
    const holder = await signedUp(site);
    await setUpFactor(holder, holder.credentials.password);
    await page.context().addCookies(cookiesOf({ site, owner: holder }));
  }
  return page;
}

export const test = base.extend<Fixtures>({
  // The pages stay for the next test.
  // oxlint-disable-next-line no-empty-pattern
  closeContexts: async ({}, use) => use(),
  open: async ({ browser, owned }, use) => {
    const { site, sql } = owned;
    let spoiled: Page | undefined;
    await use(async (state, viewport) => {
      if (state.reader === "owner") {
        await deleteMessages(site.dataDir);
        await sql("delete from private.inbox_visits");
        await Promise.all(messages.map((message) => storeMessages(site.dataDir, [message])));
      }
      const page = await pageOf(state.reader, owned, browser);
      if (state.spoils) {
        spoiled = page;
      }
      await page.setExtraHTTPHeaders({ "X-Forwarded-For": newAddress() });
      await page.setViewportSize(viewport);
      await page.goto(state.path);
      await state.change?.(page, owned);
      return page;
    });
    await spoiled?.context().close();
  },
});

const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const rules: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  // They take axe most of its time: the contrast of both schemes is computed (tests/contrast.test.ts).
  rules: { "color-contrast": { enabled: false } },
  resultTypes: ["violations"],
};

/**
 * Expects axe to report nothing, the page to fit, and a link of a page with scripts to one without to ask for a
 * document: the scripts could not show it.
 */
export async function expectLooks(page: Page): Promise<void> {
  await page.evaluate(axe);
  const found = await page.evaluate(async (options) => {
    const { violations }: AxeResults = await Reflect.get(window, "axe").run(options);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
  }, rules);
  expect(found).toEqual([]);
  // While a required field is empty, a form is invalid by itself, and Firefox has that spoken.
  await expect(page.locator("form:has(:required):not([role=none])")).toHaveCount(0);
  await expectFit(page);
  const { pathname } = new URL(page.url());
  if (withScripts.test(pathname)) {
    await page.waitForFunction(isHydrated);
    const links = await page.evaluate(pressLinks, withScripts);
    expect(links.filter(({ isTaken }) => isTaken)).toEqual([]);
    if (pathname === "/auth") {
      expect(links).not.toEqual([]);
    }
  }
}

const withScripts = /^\/(auth|account(?!\/documents)|admin)([/?]|$)/;

/**
 * Evaluated in a page. Presses its links to pages without scripts, and stays. Returns the path of each, and
 * whether scripts took it.
 */
function pressLinks(scripted: RegExp) {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("main a[href], header a[href]")];
  return links
    .filter(({ origin, pathname }) => origin === location.origin && !scripted.test(pathname))
    .map((link) => {
      let isTaken = false;
      const stay = (click: Event) => {
        isTaken = click.defaultPrevented;
        click.preventDefault();
      };
      addEventListener("click", stay, { once: true });
      link.click();
      return { path: link.pathname, isTaken };
    });
}

/** How far a page scrolls sideways. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Expects a page that does not scroll sideways at 320 px, at a tablet's width, and on a phone with doubled text. */
export async function expectFit(page: Page): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const width of [320, 768]) {
    await page.setViewportSize({ ...size, width });
    expect(await overhang(page), `at ${width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ ...size, width: 360 });
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
  await expect(page.locator("html")).toHaveCSS("font-size", "32px");
  expect(await overhang(page), "with doubled text").toBeLessThanOrEqual(0);
  expect(await page.evaluate(textsOutside)).toEqual([]);
  await session.send("Page.setFontSizes", { fontSizes: { standard: 16 } });
  await session.detach();
  await page.setViewportSize(size);
}

/** Evaluated in the page: the texts of an open message's actions that run out of them. */
const textsOutside = () =>
  [...document.querySelectorAll("aside [role=group] :is(a, button)")].flatMap((control) => {
    const { left, right } = control.getBoundingClientRect();
    const text = document.createRange();
    text.selectNodeContents(control);
    const lines = [...text.getClientRects()];
    return lines.some((line) => line.left < left || line.right > right) ? control.textContent : [];
  });
