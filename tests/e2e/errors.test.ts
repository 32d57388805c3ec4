import { openMessage } from "#tests/support/browser/board.ts";
import {
  expect,
  isHydrated,
  liveBadge,
  newAccount,
  newMessage,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";

test("an unknown path returns 404 with the specified text, and both sides log it", async ({
  page,
  site,
  scripts,
}) => {
  const logged: string[] = [];
  page.on("console", (message) => logged.push(message.text()));
  const answer = await page.goto("/no/such-page");
  expect(answer?.status()).toBe(404);
  await expect(page.getByText("Oops! Page not found")).toBeVisible();
  await expect.poll(() => site.output()).toContain("/no/such-page");
  if (scripts) {
    expect(logged.join("\n")).toContain("/no/such-page");
  }
  await page.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL(`${site.url}/`);
});

test("a failed page shows the text of the site's own error, and reloads by itself @once", async ({
  browser,
  start,
}) => {
  const site = await start({}, fault);
  const page = await browser.newPage({ baseURL: site.url });
  await signUp(page);
  expect((await page.goto("/account"))?.status()).toBe(503);
  await expect(page.getByText("Unexpected Application Error!")).toBeVisible();
  const data = await (await page.request.get("/account.data")).text();
  for (const told of [await page.content(), data, site.output()]) {
    expect(told).toContain("The sessions were not read");
    expect(told).not.toContain(secret);
    expect(told).not.toMatch(/\.[jt]sx?:\d.*node_modules/);
  }
  await page.waitForResponse(/\/account$/);
});

test("a page that worked is read again by itself after an error of the proxy @scripts", async ({
  page,
}) => {
  await signUp(page);
  await page.goto("/account");
  await page.waitForFunction(isHydrated);
  await page.route(/\.data/, (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
  await page.evaluate(readAgain);
  await expect(page.getByText("Unexpected Application Error!")).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.unrouteAll();
  await expect(page.getByRole("heading", { name: "حسابي" })).toBeVisible();
  expect(await page.evaluate(() => Reflect.has(window, "isSame"))).toBe(true);
});

test("a fault of the scripts while a form is sent is told as one @scripts", async ({ page }) => {
  await page.goto("/auth");
  await page.waitForFunction(isHydrated);
  await page.evaluate(() => Object.assign(window, { clearTimeout: undefined }));
  await submitCredentials(page, newAccount(), "تسجيل الدخول");
  await expect(page.getByText("clearTimeout is not a function")).toBeVisible();
  expect(await page.locator("main").innerText()).not.toContain("انقطع الاتصال");
});

test("the inbox stays when a proxy answers in the place of the site @scripts", async ({
  page,
  site,
}) => {
  await deleteMessages(site.dataDir);
  await signUp(page);
  await expect(liveBadge(page)).toBeVisible();
  await expect(page.getByText("لا توجد رسائل بعد")).toBeVisible();
  await page.route(/\.data/, (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(page.getByText("تعذّر تحديث اللوحة")).toBeVisible();
  await expect(page.getByText("لا توجد رسائل بعد")).toBeVisible();
  await page.unrouteAll();
  await expect(page.getByText("تعذّر تحديث اللوحة")).toHaveCount(0);
});

test("on a phone a failed refresh is said above the open message, and covers nothing @scripts", async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await deleteMessages(site.dataDir);
  const text = newMessage();
  await storeMessages(site.dataDir, [text]);
  await signUp(page);
  await openMessage(page, text.name);
  await page.route(/\.data/, (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  const line = page.getByRole("status").filter({ hasText: "تعذّر تحديث اللوحة" });
  await expect(line).toBeInViewport({ ratio: 1 });
  const said = (await line.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const below = await page.getByRole("navigation", { name: "التنقل" }).boundingBox();
  expect([said.width > 300, said.y + said.height <= (below?.y ?? 0)]).toEqual([true, true]);
  expect(said.height).toBeLessThan(64);
});

const secret = "words of the database";
const fault = `
  create or replace function public.my_sessions()
  returns table (
    id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, is_current boolean,
    total bigint
  ) language plpgsql as $$ begin raise exception '${secret}'; end $$;`;

/** Evaluated in the page, which then hears of another account and reads its data again. */
const readAgain = () => new BroadcastChannel("session").postMessage("another");
