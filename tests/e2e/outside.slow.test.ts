import {
  expect,
  isHydrated,
  postMessages,
  liveBadge,
  newMessage,
  openLive,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";
import { openListed } from "#tests/support/list-client.ts";
import { startOutside } from "#tests/support/outside.ts";

test("the same build works with an outside Supabase: account, message, live inbox", async ({
  browser,
  start,
}) => {
  // A real one, if the tests of the calls run against that.
  const { close, url, key, secret, account } = await openListed();
  const site = await start({
    SUPABASE_URL: url,
    SUPABASE_PUBLISHABLE_KEY: key,
    SUPABASE_SECRET_KEY: secret,
  });
  const inbox = await browser.newPage({ baseURL: site.url });
  await inbox.goto("/auth");
  await submitCredentials(inbox, await account(), "تسجيل الدخول");
  await expect(inbox).toHaveURL(/\/admin$/);
  await expect(inbox.getByText("مباشر", { exact: true })).toBeVisible();

  const text = newMessage();
  expect(await postMessages(inbox.request, site, [text])).toEqual([302]);
  await expect(inbox.getByRole("heading", { name: text.name })).toHaveCount(1);
  await site.stop();
  await close();
});

test("an open board works while the authentication hangs, and so do its links", async ({
  browser,
  start,
}) => {
  const { close, gateway, env } = await startOutside();
  const site = await start(env);
  const page = await browser.newPage({ baseURL: site.url });
  await signUp(page);
  await openLive(page);
  const stale = page.getByRole("status").filter({ hasText: "تعذّر تحديث اللوحة" });
  gateway.setRequests((path) => (path.startsWith("/auth/") ? "swallow" : "pass"));
  const read = page.waitForResponse(/\/admin\.data/);
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  expect((await read).status()).toBe(200);
  await page.getByRole("link", { name: "المزعجة" }).click();
  await expect(page).toHaveURL(/box=spam/);
  await expect(stale).toHaveCount(0);
  await site.stop();
  await close();
});

test("npm run dev serves the same site with working scripts", async ({ browser, start }) => {
  const site = await start({ NODE_ENV: "development" }, undefined, ["--dev"]);
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") {
      faults.push(message.text());
    }
  });
  // In a fresh checkout Vite first bundles the page's dependencies.
  await page.goto("/auth?mode=sign-up");
  await page.waitForFunction(isHydrated, undefined, {
    timeout: 30_000,
  });
  await signUp(page);
  await page.goto("/admin");
  await expect(page.getByText("لا توجد رسائل بعد")).toBeVisible();
  await expect(liveBadge(page)).toBeVisible();
  await page.goto("/");
  // Without the visit cookie every message would count as too fast.
  expect((await context.cookies()).map(({ name }) => name)).toContain("visit");
  expect(faults).toEqual([]);
});
