import { expect, type Page, type Request } from "playwright/test";

/**
 * Lets seconds pass, each after the answers to what the page asks in them: it would else give them up.
 * The page's clock is installed.
 */
export async function passSeconds(page: Page, seconds: number) {
  const asked = new Set<Request>();
  const onAsked = (request: Request) => asked.add(request);
  const onEnd = (request: Request) => asked.delete(request);
  page.on("request", onAsked).on("requestfinished", onEnd).on("requestfailed", onEnd);
  for (let second = 0; second < seconds; second += 1) {
    await page.clock.runFor(1000);
    await expect.poll(() => asked.size).toBe(0);
  }
  page.off("request", onAsked).off("requestfinished", onEnd).off("requestfailed", onEnd);
}

/** Lets the page's time pass until its board is read again. The page's clock is installed. */
export async function untilReadAgain(page: Page) {
  const asked = page.waitForRequest(/\/admin\.data/);
  const second = () => page.clock.runFor(1000).then(() => undefined);
  let request = await Promise.race([asked, second()]);
  while (request === undefined) {
    request = await Promise.race([asked, second()]);
  }
  await request.response();
}
