import { launchOptions } from "#tests/support/browser/chromium.ts";
import { overhang, test } from "#tests/support/browser/looks.ts";
import { looks } from "#tests/support/browser/states.ts";
import { expect } from "#tests/support/browser/test.ts";

const doubled = "--blink-settings=defaultFontSize=32";
test.use({ launchOptions: { ...launchOptions, args: [...(launchOptions.args ?? []), doubled] } });

for (const state of looks.doubled) {
  test(`${state.what} fits a phone with text that the reader doubled`, async ({ open }) => {
    const page = await open(state, { width: 360, height: 740 });
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    expect(await page.evaluate(textsOutside)).toEqual([]);
  });
}

/** Evaluated in the page: the texts of an open message's actions that run out of them. */
const textsOutside = () =>
  [...document.querySelectorAll("aside [role=group] :is(a, button)")].flatMap((control) => {
    const { left, right } = control.getBoundingClientRect();
    const text = document.createRange();
    text.selectNodeContents(control);
    const lines = [...text.getClientRects()];
    return lines.some((line) => line.left < left || line.right > right) ? control.textContent : [];
  });
