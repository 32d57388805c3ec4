import lighthouse from "lighthouse";
import { chromium } from "playwright/test";
import { launchOptions } from "#tests/support/browser/chromium.ts";
import { freePort } from "#tests/support/site.ts";
import { type Figure, median, type Outcome } from "./measure.ts";
import { type BenchPage, cookiesOf, openPages } from "./pages.ts";
import { startServer } from "./servers.ts";

const runs = 5;
const categories = ["performance", "accessibility", "best-practices", "seo"];
const hundreds = Object.fromEntries(categories.map((name) => [name, { atLeast: 100 }]));
/** Only these figures are reported, and the LCP of every page. */
const targets: Record<string, Record<string, Pick<Figure, "atMost" | "atLeast">>> = {
  "/": { ...hundreds, LCP: { atMost: 800 } },
  "/auth": hundreds,
  "not found": hundreds,
  "/admin": { performance: { atLeast: 95 } },
};

/** Runs Lighthouse with its defaults: mobile, simulated slow 4G. Reports medians. */
export default async function measureLighthouse(): Promise<Outcome> {
  await using opened = await openPages();
  const port = await freePort();
  const options = await launchOptions();
  const args = [...(options.args ?? []), `--remote-debugging-port=${port}`];
  const browser = await chromium.launch({ ...options, args });
  const session = await browser.newBrowserCDPSession();
  const figures = await besideHandWritten(opened.pages, port);
  for (const page of opened.pages) {
    await session.send("Storage.clearCookies");
    await session.send("Storage.setCookies", { cookies: cookiesOf(page) });
    const samples: Record<string, number>[] = [];
    for (let run = 0; run < runs; run += 1) {
      samples.push(await runOnce(page, port));
    }
    for (const [name, target] of Object.entries({ LCP: {}, ...targets[page.name] })) {
      const value = median(samples.map((sample) => sample[name] ?? Number.NaN));
      const unit = name === "LCP" ? "ms" : "";
      figures.push({ name: `${page.name}, ${name}`, value, unit, ...target });
    }
  }
  await browser.close();
  return {
    title: "Lighthouse, mobile",
    note: `Medians of ${runs} runs; simulated slow 4G and a slow phone. The 404 page is measured without the two audits that fail on its status (http-status-code, errors-in-console).`,
    figures,
  };
}

/** Compares `/` with hand-written.html, which has its texts and its first picture, in turns. */
async function besideHandWritten(pages: BenchPage[], port: number): Promise<Figure[]> {
  const [page] = pages;
  if (page === undefined) {
    throw new Error("There is no page to compare.");
  }
  const [picture = ""] = /\/pictures\/[^"]+/.exec(await (await fetch(page.url)).text()) ?? [];
  const source = new URL(picture, page.url).href;
  await using bare = await startServer([
    "tests/bench/bare-server.ts",
    source,
    "tests/bench/hand-written.html",
  ]);
  const plain = { name: "hand-written", url: `${bare.url}/` };
  const samples: { own: Record<string, number>; plain: Record<string, number> }[] = [];
  for (let run = 0; run < runs; run += 1) {
    samples.push({ own: await runOnce(page, port), plain: await runOnce(plain, port) });
  }
  const of = (name: "own" | "plain") =>
    median(samples.map((sample) => sample[name].LCP ?? Number.NaN));
  const shift = Math.max(...samples.map(({ own }) => own.CLS ?? Number.NaN));
  return [
    { name: "hand-written page, LCP", value: of("plain"), unit: "ms" },
    { name: "/, LCP relative to it", value: of("own") / of("plain"), unit: "times", atMost: 1.05 },
    { name: "/, layout shift", value: shift, unit: "", atMost: 0 },
  ];
}

async function runOnce(
  { url, skipAudits = [] }: BenchPage,
  port: number,
): Promise<Record<string, number>> {
  const flags = { port, skipAudits, ignoreStatusCode: true, logLevel: "error" as const };
  const result = await lighthouse(url, flags);
  if (!result || result.lhr.runtimeError) {
    throw new Error(`${url}: ${result?.lhr.runtimeError?.message}`);
  }
  const { lhr } = result;
  return {
    ...Object.fromEntries(
      categories.map((name) => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)]),
    ),
    LCP: lhr.audits["largest-contentful-paint"]?.numericValue ?? Number.NaN,
    CLS: lhr.audits["cumulative-layout-shift"]?.numericValue ?? Number.NaN,
  };
}
