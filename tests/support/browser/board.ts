import type { Browser, BrowserContextOptions, Locator, Page } from "playwright/test";
import { type Api, openApi } from "#tests/support/api.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { signUp, test } from "./test.ts";

interface OwnedBoard {
  site: RunningSite;
  api: Api;
  /** The owner's account. */
  account: { email: string; password: string };
  /** Opens the board as the owner, in a new browser context. */
  open(options?: BrowserContextOptions, path?: string): Promise<Page>;
  /** Replaces all messages, newest first. The sender's name equals the text. */
  store(texts: string[], state?: object): Promise<void>;
}

/** Starts a site with an owner for the file. The file's tests run serially. */
export function useBoard(statements?: string): OwnedBoard {
  const board = {} as OwnedBoard;
  test.beforeAll(async ({ browser }) => {
    Object.assign(board, await startBoard(browser, statements));
  });
  test.afterAll(() => board.site.stop());
  test.describe.configure({ mode: "serial" });
  test.slow();
  return board;
}

async function startBoard(browser: Browser, statements?: string): Promise<OwnedBoard> {
  const site = await startSite({}, statements);
  const api = await openApi(site);
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  const account = await signUp(page);
  await api.claim(await api.signIn(account));
  const storageState = await context.storageState();
  await context.close();
  return {
    site,
    api,
    account,
    async open(options = {}, path = "/admin") {
      const opened = await browser.newContext({ baseURL: site.url, storageState, ...options });
      const board = await opened.newPage();
      await board.goto(path);
      return board;
    },
    async store(texts, state = {}) {
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

/** Presses a button of a card, also one that only the open card shows. */
export async function press(part: Locator, name: string) {
  const button = part.getByRole("button", { name, exact: true });
  if (!(await button.isVisible())) {
    await toggle(part);
  }
  await button.click();
}

export const openBox = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "الصناديق" }).getByRole("link", { name }).click();
