import { openMessage } from "#tests/support/browser/board.ts";
import {
  expect,
  fillMessage,
  isHydrated,
  liveBadge,
  newMessage,
  signUp,
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

test("a page that worked reloads by itself after an error of the proxy, also once more @scripts", async ({
  page,
}) => {
  await signUp(page);
  await page.goto("/account");
  await page.waitForFunction(isHydrated);
  // Not by Playwright's clock, which hides how the page was loaded.
  await page.evaluate(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 10_000;
  });
  await page.route(/\.data/, (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
  await page.evaluate(readAgain);
  await expect(page.getByText("Unexpected Application Error!")).toBeVisible();
  await page.unrouteAll();
  await expect(page.getByRole("heading", { name: "حسابي" })).toBeVisible();
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

test("typed text stays when another tab signs in while the site is unreachable @scripts", async ({
  page,
  context,
}) => {
  await page.goto("/");
  const text = newMessage();
  await fillMessage(page, text);
  await page.waitForFunction(isHydrated);
  await page.route("**/*", (route) => route.abort());
  const failed = page.waitForEvent("requestfailed");
  await signUp(await context.newPage());
  await failed;
  await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
  const heard = page.waitForResponse(/\.data/);
  await page.unrouteAll();
  await heard;
  await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
});

test("a page that stays unreachable is not reloaded in a loop @scripts", async ({ page }) => {
  await signUp(page);
  await page.goto("/account");
  await page.addInitScript(noteDelays);
  await page.reload();
  await page.route(/\.data/, (route) => route.fulfill({ status: 503, body: "Unavailable" }));
  await page.waitForFunction(isHydrated);
  await page.evaluate(readAgain);
  await expect(page.getByText("Unexpected Application Error!")).toBeVisible();
  const delays = () => page.evaluate<number[]>("delays");
  await expect.poll(delays).toContain(30_000);
  // After 2 seconds it would be reloaded by itself.
  expect(await delays()).not.toContain(2000);
});

/** Evaluated in the page, which then hears of another account and reads its data again. */
const readAgain = () => new BroadcastChannel("session").postMessage("another");

/** Evaluated in the page, before its scripts. A slow machine's reload counts as a recent one too. */
function noteDelays() {
  const delays: number[] = [];
  const wait = setTimeout;
  const noting = (run: () => void, delay = 0) => wait(run, delays[delays.push(delay) - 1]);
  const now = performance.now.bind(performance);
  performance.now = () => now() / 100;
  Object.assign(globalThis, { delays, setTimeout: noting });
}
