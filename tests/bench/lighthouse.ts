import lighthouse from "lighthouse";
import { chromium } from "playwright/test";
import { launchOptions } from "#tests/support/browser/chromium.ts";
import { freePort } from "#tests/support/site.ts";
import { kilobytes, median, milliseconds, type Outcome } from "./measure.ts";
import { type BenchPage, cookiesOf, openPages } from "./pages.ts";

const runs = 5;
const categories = ["performance", "accessibility", "best-practices", "seo"];
const metrics = {
  lcp: "largest-contentful-paint",
  tbt: "total-blocking-time",
  bytes: "total-byte-weight",
};

/** Runs Lighthouse with its defaults: mobile, simulated slow 4G. Reports medians. */
export default async function measureLighthouse(): Promise<Outcome> {
  await using opened = await openPages();
  const port = await freePort();
  const options = await launchOptions();
  const args = [...(options.args ?? []), `--remote-debugging-port=${port}`];
  const browser = await chromium.launch({ ...options, args });
  const session = await browser.newBrowserCDPSession();
  const results: { name: string; figures: Map<string, number> }[] = [];
  for (const page of opened.pages) {
    await session.send("Storage.clearCookies");
    await session.send("Storage.setCookies", { cookies: cookiesOf(page) });
    const samples: Map<string, number>[] = [];
    for (let run = 0; run < runs; run += 1) {
      samples.push(await runOnce(page, port));
    }
    const names = [...(samples[0]?.keys() ?? [])];
    const figures = new Map(
      names.map((name) => [name, median(samples.map((sample) => sample.get(name) ?? 0))]),
    );
    results.push({ name: page.name, figures });
  }
  await browser.close();
  const figure = (page: string, name: string) =>
    results.find((result) => result.name === page)?.figures.get(name) ?? Number.NaN;
  return {
    title: "Lighthouse, mobile",
    note: `Medians of ${runs} runs; simulated slow 4G and a slow phone. The 404 page is measured without the two audits that fail on its status (http-status-code, errors-in-console).`,
    rows: results.map(({ name, figures }) => ({
      page: name,
      ...Object.fromEntries(
        categories.map((category) => [category, String(figures.get(category))]),
      ),
      LCP: milliseconds(figures.get("lcp") ?? 0),
      TBT: milliseconds(figures.get("tbt") ?? 0),
      bytes: kilobytes(figures.get("bytes") ?? 0),
    })),
    budgets: [
      { name: "/ LCP", measured: figure("/", "lcp"), limit: { atMost: 800 }, unit: "ms" },
      ...["/", "/auth", "not found"].flatMap((page) =>
        categories.map((category) => ({
          name: `${page}, ${category}`,
          measured: figure(page, category),
          limit: { atLeast: 100 },
          unit: "",
        })),
      ),
      {
        name: "/admin, performance",
        measured: figure("/admin", "performance"),
        limit: { atLeast: 95 },
        unit: "",
      },
    ],
  };
}

async function runOnce(
  { url, skipAudits = [] }: BenchPage,
  port: number,
): Promise<Map<string, number>> {
  const flags = { port, skipAudits, ignoreStatusCode: true, logLevel: "error" as const };
  const result = await lighthouse(url, flags);
  if (!result || result.lhr.runtimeError) {
    throw new Error(`${url}: ${result?.lhr.runtimeError?.message}`);
  }
  const { lhr } = result;
  const scores = categories.map((name): [string, number] => [
    name,
    Math.round((lhr.categories[name]?.score ?? 0) * 100),
  ]);
  const values = Object.entries(metrics).map(([name, audit]): [string, number] => [
    name,
    lhr.audits[audit]?.numericValue ?? 0,
  ]);
  return new Map([...scores, ...values]);
}
