import type { Browser, BrowserContextOptions, Locator, Page } from "playwright/test";
import type { ClaimedSite } from "#tests/support/claimed-site.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import { test } from "./test.ts";

type OwnedBoard = ReturnType<typeof boardOf>;

/** Gives the tests of a file the site with an owner of their worker. */
export function useBoard(): OwnedBoard {
  const board = {} as OwnedBoard;
  test.beforeAll(({ browser, owned }) => void Object.assign(board, boardOf(browser, owned)));
  return board;
}

/** The owner's cookies for a browser. */
export const cookiesOf = ({ site, owner }: ClaimedSite) =>
  Array.from(owner.cookies, ([name, value]) => ({ name, value, url: site.url }));

function boardOf(browser: Browser, owned: ClaimedSite) {
  const { site, owner } = owned;
  return {
    site,
    /** The owner's account. */
    account: owner.credentials,
    /** Opens the board as the owner, in a new browser context. */
    async open(options: BrowserContextOptions = {}, path = "/admin", within = browser) {
      const opened = await within.newContext({ baseURL: site.url, ...options });
      if (options.storageState === undefined) {
        await opened.addCookies(cookiesOf(owned));
      }
      const board = await opened.newPage();
      await board.goto(path);
      return board;
    },
    /** Replaces all messages, newest first. The sender's name equals the text. */
    async store(texts: string[], state: object = {}) {
      await deleteMessages(site.dataDir);
      const messages = texts.map((text, index) => ({
        name: text,
        email: `visitor-${index}@example.com`,
        message: `${text} ${index}`,
        created_at: new Date(Date.now() - (index + 1) * 60_000),
        ...state,
      }));
      await storeMessages(site.dataDir, messages);
    },
  };
}

export const card = (page: Page, name: string) =>
  page.getByRole("article").filter({ has: page.getByRole("heading", { name, exact: true }) });

/** Opens a closed card, or closes an open one. By keyboard: links lie over the row. */
export const toggle = (part: Locator) => part.locator("summary").press("Enter");

/** Presses a button of a card by keyboard, also one that only the open card shows. */
export async function press(part: Locator, name: string) {
  const button = part.getByRole("button", { name, exact: true });
  if (!(await button.isVisible())) {
    await toggle(part);
  }
  await button.press("Enter");
}

export const openBox = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "الصناديق" }).getByRole("link", { name }).click();
