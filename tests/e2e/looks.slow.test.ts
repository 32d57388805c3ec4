import { expectLooks, test } from "#tests/support/browser/looks.ts";
import { looks } from "#tests/support/browser/states.ts";
import { signUp, test as base, useOwnSite } from "#tests/support/browser/test.ts";

for (const state of looks.rare) {
  test(`${state.what} fits each window, and axe finds nothing`, async ({ open }) => {
    await expectLooks(await open(state, { width: 1280, height: 3000 }));
  });
}

base.describe("a new site", () => {
  const site = useOwnSite();

  base("axe finds nothing on the first board and on the claim", async ({ page }) => {
    await signUp(page);
    for (const path of ["/admin", site.claimPath()]) {
      await page.goto(path);
      await expectLooks(page);
    }
  });
});
