import { expect, isHydrated, liveBadge, signUp, test } from "#tests/support/browser/test.ts";

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
  await expect(page.getByText("لا توجد رسائل بعد")).toBeVisible();
  await expect(liveBadge(page)).toBeVisible();
  await page.goto("/");
  // Without the visit cookie every message would count as too fast.
  expect((await context.cookies()).map(({ name }) => name)).toContain("visit");
  expect(faults).toEqual([]);
});
