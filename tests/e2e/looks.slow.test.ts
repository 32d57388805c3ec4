import { expectLooks, overhang, test } from "#tests/support/browser/looks.ts";
import { looks } from "#tests/support/browser/states.ts";
import { expect, signUp, useOwnSite, test as base } from "#tests/support/browser/test.ts";

for (const state of looks.rare) {
  test(`${state.what} fits each window, and axe finds nothing`, async ({ open }) => {
    const page = await open(state, { viewport: { width: 1280, height: 3000 } });
    await expectLooks(page);
  });
}

test("text that the reader doubled fits a phone", async ({ open, playwright, launchOptions }) => {
  test.setTimeout(300_000);
  const args = [...(launchOptions.args ?? []), "--blink-settings=defaultFontSize=32"];
  const doubled = await playwright.chromium.launch({ ...launchOptions, args });
  for (const state of [...looks.common, ...looks.rare]) {
    await test.step(state.what, async () => {
      const page = await open(state, { viewport: { width: 360, height: 740 } }, doubled);
      expect.soft(await overhang(page), state.what).toBeLessThanOrEqual(0);
      expect.soft(await page.evaluate(textsOutside), state.what).toEqual([]);
      await page.context().close();
    });
  }
  await doubled.close();
});

/** Evaluated in the page: the texts of an open message's actions that run out of them. */
const textsOutside = () =>
  [...document.querySelectorAll("aside [role=group] :is(a, button)")].flatMap((control) => {
    const { left, right } = control.getBoundingClientRect();
    const text = document.createRange();
    text.selectNodeContents(control);
    const lines = [...text.getClientRects()];
    return lines.some((line) => line.left < left || line.right > right) ? control.textContent : [];
  });

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
