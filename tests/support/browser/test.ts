import { randomBytes } from "node:crypto";
import { type APIRequestContext, expect, type Locator, type Page } from "playwright/test";
import { newAddress } from "#tests/support/address.ts";
import { newCredentials } from "#tests/support/credentials.ts";
import { type RunningSite, startMs, startSite } from "#tests/support/site.ts";
import { cookiesOf, test as base } from "./sites.ts";

export { expect, newCredentials as newAccount };

interface Account {
  email: string;
  password: string;
}

interface Fixtures {
  page: Page;
  scripts: boolean;
  /** Starts another site, stopped after the test. Takes what startSite takes. */
  start: typeof startSite;
  closeContexts: void;
}

/** A Playwright test with a page and a client address of its own, on the sites of its worker. */
export const test = base.extend<Fixtures>({
  baseURL: ({ site }, use) => use(site.url),
  // oxlint-disable-next-line no-empty-pattern
  extraHTTPHeaders: async ({}, use) => {
    await use({ "X-Forwarded-For": newAddress() });
  },
  scripts: ({ javaScriptEnabled }, use) => use(javaScriptEnabled !== false),
  // oxlint-disable-next-line no-empty-pattern
  start: async ({}, use) => {
    const sites: RunningSite[] = [];
    test.setTimeout(test.info().timeout + startMs);
    await use(async (...args) => {
      const site = await startSite(...args);
      sites.push(site);
      return site;
    });
    for (const site of sites) {
      await site.stop();
    }
  },
  // Also those that the test opened itself.
  closeContexts: [
    async ({ browser }, use) => {
      await use();
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
});

type Body = Parameters<typeof test.beforeEach>[1];

/** Declares a test without scripts, of what is the same with them, or shown with them elsewhere. */
export function plainTest(title: string, body: Body): void {
  test.describe("without scripts", () => {
    test.use({ javaScriptEnabled: false });
    test(title, body);
  });
}

/** Declares a test of what works with scripts and without: once with them, and once more without. */
export function journey(title: string, body: Body): void {
  test(title, body);
  plainTest(title, body);
}

/** Makes a page's browser the owner's. */
export const beOwner = (page: Page, owned: Parameters<typeof cookiesOf>[0]) =>
  page.context().addCookies(cookiesOf(owned));

/** Gives the tests of a file one worker, and a site of their own. */
export function useOwnSite(env: Record<string, string> = {}): RunningSite {
  const site = {} as RunningSite;
  test.describe.configure({ mode: "default" });
  test.beforeAll(async () => {
    test.setTimeout(startMs);
    Object.assign(site, await startSite(env));
  });
  test.afterAll(() => site.stop());
  // oxlint-disable-next-line no-empty-pattern
  test.use({ baseURL: async ({}, use) => use(site.url) });
  return site;
}

/** Holds all scripts back until the returned function is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await gate.promise;
    // The page may be closed by now.
    await route.continue().catch(() => {});
  });
  return gate.resolve;
}

/** Fills in the form of /auth and submits it. */
export async function submitCredentials(page: Page, { email, password }: Account, button: string) {
  await page.getByLabel("البريد الإلكتروني").fill(email);
  await page.getByLabel("كلمة المرور").fill(password);
  await page.getByRole("button", { name: button, exact: true }).click();
}

/** Signs up a new account by a request of the page's browser (account.test.ts has the form). */
export async function signUp(page: Page, account = newCredentials()): Promise<Account> {
  const headers = { "Sec-Fetch-Site": "same-origin" };
  const sent = { form: account, headers, maxRedirects: 0 };
  expect((await page.request.post("/auth?mode=sign-up", sent)).status()).toBe(302);
  return account;
}

/** Evaluated in the page. Returns whether its scripts run. */
export const isHydrated = () => "__reactRouterDataRouter" in window;

/** Locates the badge that the board shows while it receives live messages. */
export const liveBadge = (page: Page) => page.getByRole("status").filter({ hasText: "مباشر" });

/** Tells the page that the network is back. */
export const comeBack = (page: Page) => page.evaluate(() => dispatchEvent(new Event("online")));

/** Has the page believe that it is hidden, or shown: those of Playwright are always shown. */
export const become = (page: Page, visibilityState: "hidden" | "visible") =>
  page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, visibilityState);

/** Evaluated in the page. Returns whether it reads nothing. */
export const isIdle = () => {
  const { state } = Reflect.get(window, "__reactRouterDataRouter");
  return state.revalidation === "idle" && state.navigation.state === "idle";
};

/**
 * Opens a board. It is then live, and has read its list again, as it does when it begins to listen: a link
 * that is followed before would end that reading, which is then made once more.
 */
export async function openLive(page: Page, path = "/admin") {
  const read = page.waitForResponse(/\/admin\.data/);
  await page.goto(path);
  await expect(liveBadge(page)).toBeVisible();
  await read;
  await page.waitForFunction(isIdle);
}

export interface MessageText {
  name: string;
  email: string;
  message: string;
}

export function newMessage(name = "نورة السالم"): MessageText {
  const id = randomBytes(5).toString("hex");
  return {
    name: `${name} ${id}`,
    email: `${id}@example.com`,
    message: `أريد صفحة هبوط.\nرقم ${id}`,
  };
}

/** Fills in the form of the home page without submitting it. */
export async function fillMessage(page: Page, { name, email, message }: MessageText) {
  await page.getByLabel("الاسم").fill(name);
  await page.getByLabel("البريد الإلكتروني").fill(email);
  await page.getByLabel("الرسالة").fill(message);
}

/** Inserts a text as pasting does: `fill` would bypass the browser's maxlength. */
export async function paste(field: Locator, text: string) {
  await field.fill("");
  await field.focus();
  await field.page().keyboard.insertText(text);
}

/** Submits the form of the home page. */
export async function sendMessage(page: Page) {
  await page.getByRole("button", { name: "إرسال الرسالة" }).click();
}

/** Posts messages like the form, by default each from a new address. Returns the statuses. */
export async function postMessages(
  request: APIRequestContext,
  site: RunningSite,
  texts: MessageText[],
  address?: string,
): Promise<number[]> {
  const statuses: number[] = [];
  for (const text of texts) {
    const answer = await request.post("/", {
      form: { ...text, t_extra: "" },
      headers: { Origin: site.url, "X-Forwarded-For": address ?? newAddress() },
      maxRedirects: 0,
    });
    statuses.push(answer.status());
  }
  return statuses;
}

/** Locates a message's card on the board. */
export const cardOf = (page: Page, { name }: MessageText) =>
  page.getByRole("article").filter({ has: page.getByRole("heading", { name }) });
