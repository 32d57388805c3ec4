import { chromium } from "playwright/test";
import { launchOptions } from "#tests/support/browser/chromium.ts";
import { freePort } from "#tests/support/site.ts";
import { type Figure, median, type Outcome } from "./measure.ts";
import { type BenchPage, cookiesOf, openPages } from "./pages.ts";
import { type Running, startServer } from "./servers.ts";
import { categories, runOnce } from "./tools/run-once.ts";

// 22 runs, of ten seconds each on a quiet machine.
const runs = 3;
const turns = 5;
const hundreds = Object.fromEntries(categories.map((name) => [name, 100]));
const scripted = { ...hundreds, performance: 95 };
/** At least. Only these are reported. */
const targets: Record<string, Record<string, number>> = {
  "/": hundreds,
  "/auth": scripted,
  "not found": hundreds,
  "/admin": scripted,
};

/** Runs Lighthouse with its defaults, and compares the LCP of `/` with that of a hand-written page. */
export default async function measureLighthouse(): Promise<Outcome> {
  await using opened = await openPages();
  const port = await freePort();
  const options = launchOptions;
  const args = [...(options.args ?? []), `--remote-debugging-port=${port}`];
  // Playwright would take SIGTERM and close the browser, which leaves Lighthouse waiting for it.
  const browser = await chromium.launch({ ...options, args, handleSIGTERM: false });
  const session = await browser.newBrowserCDPSession();
  const figures: Figure[] = [];
  for (const page of opened.pages) {
    await session.send("Storage.clearCookies");
    await session.send("Storage.setCookies", { cookies: cookiesOf(page) });
    const samples = [];
    for (let run = 0; run < runs; run += 1) {
      samples.push(await runOnce(page, { port }));
    }
    for (const [name, atLeast] of Object.entries(targets[page.name] ?? {})) {
      const value = median(samples.map((sample) => sample[name] ?? Number.NaN));
      figures.push({ name: `${page.name}, ${name}`, value, unit: "", atLeast });
    }
    if (page.name === "/") {
      figures.push(...(await compare(page, port)));
    }
  }
  await browser.close();
  return {
    title: "Lighthouse, mobile",
    note: `Medians of ${runs} runs; simulated slow 4G and a slow phone. LCP: medians of ${turns} runs in turns, with the throttling applied. A simulation leaves the picture out when it was there before the layout, and so has two answers 350 ms apart. The 404 page is measured without the two audits that fail on its status (http-status-code, errors-in-console).`,
    figures,
  };
}

/** Measures the LCP of a page and of a hand-written one in turns. */
async function compare(page: BenchPage, port: number): Promise<Figure[]> {
  await using written = await startHandWritten(page);
  const pages = [page, { name: "hand-written page", url: `${written.url}/` }];
  const samples = pages.map((): Record<string, number>[] => []);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, each] of pages.entries()) {
      samples[index]?.push(await runOnce(each, { port, throttlingMethod: "devtools" }));
    }
  }
  const [lcp = Number.NaN, other = Number.NaN] = samples.map((of) =>
    median(of.map(({ LCP = Number.NaN }) => LCP)),
  );
  const shifts = samples[0]?.map(({ CLS = Number.NaN }) => CLS) ?? [];
  return [
    { name: "/, LCP", value: lcp, unit: "ms" },
    { name: "hand-written page, LCP", value: other, unit: "ms" },
    { name: "/, LCP relative to it", value: lcp / other, unit: "times", atMost: 1.02 },
    { name: "/, layout shift", value: Math.max(...shifts), unit: "", atMost: 0 },
  ];
}

/** Serves hand-written.html, which has the texts and the pictures of a page. */
async function startHandWritten({ url }: BenchPage): Promise<Running> {
  const html = await (await fetch(url)).text();
  const pictures = new Set(html.match(/(?<=<img src=")\/pictures\/[^"]+/g));
  const [first = "", ...others] = Array.from(pictures, (picture) => new URL(picture, url).href);
  const page = "tests/bench/hand-written.html";
  return startServer(["tests/bench/bare-server.ts", first, page, ...others]);
}
