import type { Page } from "playwright/test";
import { notice, signOutButton as signOut } from "#tests/support/browser/account.ts";
import { beOwner, comeBack, expect, openLive, signUp, test } from "#tests/support/browser/test.ts";
import { signedIn } from "#tests/support/visitor.ts";

const hasLeft = async (page: Page) => {
  await expect(page).toHaveURL(/\/$/);
  await expect(notice(page, "تم تسجيل الخروج")).toBeVisible();
};

test("the open board does not replace the page that a slow sign-out leads to", async ({
  page,
  owned: { site, owner },
}) => {
  // In a session of its own, which ends.
  await beOwner(page, { site, owner: await signedIn(site, owner.credentials) });
  await openLive(page);
  const ended = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await page.route(/\/sign-out\.data$/, async (route) => {
    // The session has ended, and the browser does not know it yet.
    const response = await route.fetch({ maxRedirects: 0 });
    ended.resolve();
    await gate.promise;
    await route.fulfill({ response });
  });
  // The board gets the focus then.
  await page.route("/ended", (route) => ended.promise.then(() => route.fulfill()));
  await page.evaluate(() =>
    addEventListener("submit", async () => {
      await fetch("/ended");
      dispatchEvent(new Event("focus"));
    }),
  );
  await page.waitForLoadState("networkidle");
  const focused = page.waitForResponse(/ended/);
  await signOut(page).click({ noWaitAfter: true });
  await expect(signOut(page)).toBeDisabled();
  await focused;
  // As long as the board would take to read its list again, and to leave.
  for (let round = 0; round < 50; round += 1) {
    await page.request.get("/healthz");
  }
  expect(new URL(page.url()).pathname).toBe("/admin");
  gate.resolve();
  await hasLeft(page);
});

test("two presses of the button sign out once, without a fault", async ({ page, site }) => {
  await signUp(page);
  await page.goto("/admin");
  await signOut(page).dblclick();
  await hasLeft(page);
  expect(site.output()).not.toContain("A session was not ended");
  await page.goto("/admin");
  await expect(page).toHaveURL(/\/auth$/);
});

test("the first press needs no file of the site", async ({ page }) => {
  await signUp(page);
  await page.goto("/admin", { waitUntil: "networkidle" });
  // After an update the files of an open page are gone.
  await page.route("**/assets/**", (route) => route.fulfill({ status: 404 }));
  await page.context().setOffline(true);
  await signOut(page).click();
  await expect(notice(page, "انقطع الاتصال بالموقع")).toBeVisible();
  await page.context().setOffline(false);
  await signOut(page).click();
  await hasLeft(page);
});

test("neither a reading in flight nor another tab takes the toast away", async ({
  page,
  owned: { site, owner },
}) => {
  await beOwner(page, { site, owner: await signedIn(site, owner.credentials) });
  await openLive(page);
  const other = await page.context().newPage();
  await openLive(other);
  const [read, home] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(/\/admin\.data/, async (route) => {
    await read.promise;
    await route.continue();
  });
  await page.route(/\/$/, async (route) => {
    await home.promise;
    await route.continue();
  });
  const asked = page.waitForRequest(/\/admin\.data/);
  await comeBack(page);
  const reading = await asked;
  const leaving = page.waitForRequest(/\/$/);
  await signOut(page).click({ noWaitAfter: true });
  await leaving;
  // It was sent with the session that has ended meanwhile.
  read.resolve();
  await reading.response();
  home.resolve();
  await hasLeft(page);
  await expect(other).toHaveURL(/\/auth/);
});
