import { expect, liveBadge, signUp, test } from "#tests/support/browser/test.ts";

test("a board asks a site that is away ever more rarely, and not while it is hidden @scripts", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const { fetch } = window;
    const asked: number[] = [];
    window.fetch = async (...args) => {
      if (args[0] !== "/healthz") {
        return fetch(...args);
      }
      if (Reflect.get(window, "isAway")) {
        asked.push(Math.floor(performance.now() / 1000));
        throw new TypeError("away");
      }
      return new Response();
    };
    Object.assign(window, { asked });
  });
  await page.clock.install();
  const become = (state: object, visibilityState = "visible") =>
    page.evaluate(
      ([given, value]) => {
        Object.assign(window, given);
        Object.defineProperty(document, "visibilityState", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      },
      [state, visibilityState] as const,
    );
  const pauses = async () => {
    const asked: number[] = await page.evaluate(() => Reflect.get(window, "asked"));
    return asked.slice(1).map((time, index) => time - (asked[index] ?? 0));
  };
  await signUp(page);
  await expect(liveBadge(page)).toBeVisible();
  await page.clock.runFor("00:05");
  await become({ isAway: true });
  await page.clock.runFor("00:40");
  const growing = [2, 4, 8, 16];
  expect(await pauses()).toEqual(growing);
  await become({}, "hidden");
  await page.clock.runFor("10:00");
  expect(await pauses()).toEqual(growing);
  await become({});
  expect(await pauses()).toHaveLength(5);
  await become({ isAway: false });
  await page.clock.runFor("00:02");
  await expect(page.getByText("تعذّر تحديث اللوحة")).toHaveCount(0);
  await expect(liveBadge(page)).toBeVisible();
});
