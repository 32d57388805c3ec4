import {
  beOwner,
  expect,
  isHydrated,
  newAccount,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";

test("an unknown path returns 404 with the specified text, and both sides log it", async ({
  page,
  site,
}) => {
  const logged: string[] = [];
  page.on("console", (message) => logged.push(message.text()));
  const answer = await page.goto("/no/such-page");
  expect(answer?.status()).toBe(404);
  await expect(page.getByText("Oops! Page not found")).toBeVisible();
  await expect.poll(() => site.output()).toContain("/no/such-page");
  expect(logged.join("\n")).toContain("/no/such-page");
  await page.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL(`${site.url}/`);
});

test("a failed page shows the text of the site's own error, and reloads by itself", async ({
  page,
  owned,
}) => {
  const { site, sql } = owned;
  await beOwner(page, owned);
  await sql("alter function public.my_sessions rename to not_my_sessions");
  try {
    expect((await page.goto("/account"))?.status()).toBe(503);
    await expect(page.getByText("Unexpected Application Error!")).toBeVisible();
    const data = await (await page.request.get("/account.data")).text();
    const logged = site.linesWith("The sessions were not read").join("\n");
    for (const told of [await page.content(), data, logged]) {
      expect(told).toContain("The sessions were not read");
      expect(told).not.toContain("my_sessions");
      expect(told).not.toMatch(/\.[jt]sx?:\d.*node_modules/);
    }
  } finally {
    await sql("alter function public.not_my_sessions rename to my_sessions");
  }
  await expect(page.getByRole("heading", { name: "حسابي" })).toBeVisible();
});

test("a page that worked is read again by itself after an error of the proxy", async ({
  page,
  owned,
}) => {
  await beOwner(page, owned);
  await page.goto("/account");
  await page.waitForFunction(isHydrated);
  await page.route(/\.data/, (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
  // On a slow machine the page may listen later than its scripts are there.
  await expect(async () => {
    await page.evaluate(readAgain);
    await expect(page.getByText("Unexpected Application Error!")).toBeVisible({ timeout: 2000 });
  }).toPass();
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.unrouteAll();
  await expect(page.getByRole("heading", { name: "حسابي" })).toBeVisible();
  expect(await page.evaluate(() => Reflect.has(window, "isSame"))).toBe(true);
});

test("a fault of the scripts while a form is sent is shown as a fault of the scripts", async ({
  page,
}) => {
  await page.goto("/auth");
  await page.waitForFunction(isHydrated);
  await page.evaluate(() => Object.assign(window, { clearTimeout: undefined }));
  await submitCredentials(page, newAccount(), "تسجيل الدخول");
  await expect(page.getByText("clearTimeout is not a function")).toBeVisible();
  expect(await page.locator("main").innerText()).not.toContain("انقطع الاتصال");
});

/** Evaluated in the page, which then hears of another account and reads its data again. */
const readAgain = () => new BroadcastChannel("session").postMessage("another");
