import { chromium } from "playwright/test";
import { launchOptions } from "#tests/support/browser/chromium.ts";
import { startClaimedSite } from "#tests/support/claimed-site.ts";
import { storeMessages } from "#tests/support/messages.ts";
import { type Outcome, quantile } from "./measure.ts";

const runs = 9;
/** In ms: what counts as good on a phone (web.dev, "Interaction to Next Paint"). */
const goodResponse = 200;
/** The shortest that Event Timing reports. */
const shownFrom = { type: "event", durationThreshold: 16 };
const steps = [
  { name: "opening a message", at: "article h2 a >> nth=2", key: "Enter" },
  { name: "opening another", at: "article h2 a >> nth=4", key: "Enter" },
  { name: "typing into its note", at: "aside textarea", key: "a" },
  { name: "marking it as answered", at: 'form:has([value="answer"]) button', key: "Enter" },
  { name: "selecting one", at: "[name=ids] >> nth=1", key: "Space" },
  { name: "typing into the search", at: "[type=search]", key: "a" },
].map((step) => ({ ...step, times: [] as number[] }));

/** Measures the time from a key on the owner's board to the next paint. */
export default async function measureInteractions(): Promise<Outcome> {
  const { site, owner } = await startClaimedSite();
  const message = { name: "Bench", email: "bench@example.com" };
  const messages = Array.from({ length: 50 }, (_, n) => ({ ...message, message: `رسالة ${n}` }));
  await storeMessages(site.dataDir, messages);
  const browser = await chromium.launch(launchOptions);
  for (let run = 0; run < runs; run += 1) {
    const page = await browser.newPage();
    const cookies = Array.from(owner.cookies, ([name, value]) => ({ name, value, url: site.url }));
    await page.context().addCookies(cookies);
    await page.goto(`${site.url}/admin`, { waitUntil: "networkidle" });
    const client = await page.context().newCDPSession(page);
    await client.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    for (const { at, key, times } of steps) {
      const events = await page.evaluateHandle((options) => {
        const durations = [0];
        new PerformanceObserver((list) => {
          durations.push(...list.getEntries().map(({ duration }) => duration));
        }).observe(options);
        return durations;
      }, shownFrom);
      await page.press(at, key);
      await page.waitForTimeout(1000);
      times.push(await events.evaluate((durations) => Math.max(...durations)));
    }
    await page.close();
  }
  await browser.close();
  await site.stop();
  const figures = steps.map(({ name, times }) => ({ name, value: quantile(times, 0.75) }));
  const [first = 0, another = 0] = figures.map(({ value }) => value);
  return {
    title: "Keys on the board",
    note: `p75 of ${runs} tries until the next paint, in steps of 8 ms (Event Timing, as in INP). 50 messages in two panes, the processor four times slower. The first opening runs the code of the pane for the first time, which V8 compiles then: a message that is opened after the pane was closed takes as long as another.`,
    figures: [
      ...figures.map((figure) => ({ ...figure, unit: "ms", atMost: goodResponse })),
      {
        name: "opening the first message relative to another",
        value: first / another,
        unit: "times",
        atMost: 2,
      },
    ],
  };
}
