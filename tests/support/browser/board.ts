import type { Browser, BrowserContextOptions, Page } from "playwright/test";
import type { ClaimedSite } from "#tests/support/claimed-site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { valuesOf } from "#tests/support/values.ts";
import { cookiesOf } from "./sites.ts";
import { expect, test } from "./test.ts";

type OwnedBoard = ReturnType<typeof boardOf>;

/** Gives the tests of a file the site with an owner of their worker. */
export function useBoard(): OwnedBoard {
  const board = {} as OwnedBoard;
  test.beforeAll(({ browser, owned }) => void Object.assign(board, boardOf(browser, owned)));
  return board;
}

function boardOf(browser: Browser, owned: ClaimedSite) {
  const { site, owner } = owned;
  return {
    site,
    sql: owned.sql,
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
    /**
     * Replaces all messages, newest first. The sender's name equals the text. Nobody has seen the
     * board yet: else the line of what is new would stand, the first time, between the rows.
     */
    async store(texts: string[], state: object = {}) {
      const messages = texts.map((text, index) => ({
        name: text,
        email: `visitor-${index}@example.com`,
        message: `${text} ${index}`,
        created_at: new Date(Date.now() - (index + 1) * 60_000),
        ...state,
      }));
      await withSuperuser(site.dataDir, async (sql) => {
        await sql`delete from public.contact_messages`;
        await sql`delete from private.inbox_visits`;
        if (messages.length > 0) {
          await sql`insert into public.contact_messages ${valuesOf(...messages)}`;
        }
      });
    },
  };
}

export const card = (page: Page, name: string) =>
  page.getByRole("article").filter({ has: page.getByRole("heading", { name, exact: true }) });

/** Beside the list, or in its place on a phone: the open message. */
export const pane = (page: Page) => page.getByRole("complementary");

const openName = (page: Page, name: string) =>
  pane(page).getByRole("heading", { name, exact: true, level: 2 });

/** Expects the message of this sender to be the open one. */
export const expectOpen = (page: Page, name: string) => expect(openName(page, name)).toBeVisible();

/** The link of a message's row, which opens it. */
export const rowLink = (page: Page, name: string) =>
  card(page, name).getByRole("heading").getByRole("link");

/** Opens a message of the list, by keyboard. */
export async function openMessage(page: Page, name: string) {
  await rowLink(page, name).press("Enter");
  await expectOpen(page, name);
}

/** An action of the open message. */
export const action = (page: Page, name: string) =>
  pane(page)
    .getByRole("group", { name: "إجراءات الرسالة" })
    .getByRole("button", { name, exact: true });

/**
 * Opens a message, unless it is open: opened again it takes the focus a little later. Then does something
 * with it, by keyboard: a click right after opening does nothing.
 */
export async function press(page: Page, name: string, actionName: string) {
  if (!(await openName(page, name).isVisible())) {
    await openMessage(page, name);
  }
  await action(page, actionName).press("Enter");
}

/** The note of the open message. */
export const noteIn = (page: Page) => pane(page).getByLabel("ملاحظة لك وحدك");

/** Shows the boxes of the rows, and checks those of these senders. */
export async function select(page: Page, ...names: string[]) {
  await page.getByRole("search").getByRole("link", { name: "تحديد", exact: true }).click();
  for (const name of names) {
    await page.getByRole("checkbox", { name: `تحديد رسالة ${name}`, exact: true }).check();
  }
}

/** The bar of the selection. */
export const bar = (page: Page) => page.getByRole("form", { name: "إجراءات الرسائل المحددة" });

export const openBox = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "الصناديق" }).getByRole("link", { name }).click();
