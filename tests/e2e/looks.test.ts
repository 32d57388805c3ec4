import { expectLooks, test } from "#tests/support/browser/looks.ts";
import { looks } from "#tests/support/browser/states.ts";

for (const state of looks.common) {
  test(`${state.what} fits each window, and axe finds nothing`, async ({ open }) => {
    // High enough that no bar covers anything: axe reports a covered link as too small.
    await expectLooks(await open(state, { width: state.isOfPhone ? 360 : 1280, height: 3000 }));
  });
}
