import lighthouse from "lighthouse";
import { chromium } from "playwright/test";
import { launchOptions } from "#tests/support/browser/chromium.ts";
import { freePort } from "#tests/support/site.ts";
import { type Figure, median, type Outcome } from "./measure.ts";
import { type BenchPage, cookiesOf, openPages } from "./pages.ts";
import { type Running, startServer } from "./servers.ts";

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
  const figures: Figure[] = [];
  for (const page of opened.pages) {
    await session.send("Storage.clearCookies");
    await session.send("Storage.setCookies", { cookies: cookiesOf(page) });
    await using written = page.name === "/" ? await startHandWritten(page) : undefined;
    const rivals = written ? [{ name: "hand-written", url: `${written.url}/` }] : [];
    const [of = () => [], ofWritten] = await inTurns([page, ...rivals], port);
    for (const [name, target] of Object.entries({ LCP: {}, ...targets[page.name] })) {
      const unit = name === "LCP" ? "ms" : "";
      figures.push({ name: `${page.name}, ${name}`, value: median(of(name)), unit, ...target });
    }
    if (ofWritten) {
      const other = median(ofWritten("LCP"));
      const share = median(of("LCP")) / other;
      figures.push(
        { name: "hand-written page, LCP", value: other, unit: "ms" },
        { name: "/, LCP relative to it", value: share, unit: "times", atMost: 1.05 },
        { name: "/, layout shift", value: Math.max(...of("CLS")), unit: "", atMost: 0 },
      );
    }
  }
  await browser.close();
  return {
    title: "Lighthouse, mobile",
    note: `Medians of ${runs} runs; simulated slow 4G and a slow phone. The 404 page is measured without the two audits that fail on its status (http-status-code, errors-in-console).`,
    figures,
  };
}

/** Serves hand-written.html, which has the texts and the first picture of a page. */
async function startHandWritten({ url }: BenchPage): Promise<Running> {
  const [picture = ""] = /\/pictures\/[^"]+/.exec(await (await fetch(url)).text()) ?? [];
  const source = new URL(picture, url).href;
  return startServer(["tests/bench/bare-server.ts", source, "tests/bench/hand-written.html"]);
}

/** Measures pages in turns. Returns for each its samples of a figure. */
async function inTurns(pages: BenchPage[], port: number) {
  const samples = pages.map((): Record<string, number>[] => []);
  for (let run = 0; run < runs; run += 1) {
    for (const [index, page] of pages.entries()) {
      samples[index]?.push(await runOnce(page, port));
    }
  }
  return samples.map((own) => (name: string) => own.map((sample) => sample[name] ?? Number.NaN));
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
