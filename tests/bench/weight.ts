import { chromium } from "playwright/test";
import { launchOptions } from "#tests/support/browser/chromium.ts";
import { kilobytes, type Outcome } from "./measure.ts";
import { cookiesOf, openPages } from "./pages.ts";
import { weigh, type Weight } from "./wire.ts";

// In kB: TCP's initial window of ten segments (RFC 6928).
const firstFlight = 14.6;

/** Measures the bytes of each page before any interaction, as Chromium counts them. */
export default async function measureWeight(): Promise<Outcome> {
  await using opened = await openPages();
  const browser = await chromium.launch(await launchOptions());
  const weights: (Weight & { name: string })[] = [];
  for (const page of opened.pages) {
    const context = await browser.newContext();
    await context.addCookies(cookiesOf(page));
    weights.push({ name: page.name, ...(await weigh(await context.newPage(), page.url)) });
    await context.close();
  }
  await browser.close();
  const bytesOf = (name: string) => weights.find((weight) => weight.name === name);
  return {
    title: "Weight of the pages",
    note: "Bytes on the wire with headers, before any interaction.",
    rows: weights.map(({ name, requests, bytes, frameworkBytes, ownScriptBytes, shift }) => ({
      page: name,
      requests: String(requests),
      bytes: kilobytes(bytes),
      "own script": kilobytes(ownScriptBytes),
      "the framework's": kilobytes(frameworkBytes),
      "layout shift": String(shift),
    })),
    budgets: [
      ...["/", "/auth", "not found"].map((name) => ({
        name,
        measured: (bytesOf(name)?.bytes ?? Number.NaN) / 1000,
        limit: { atMost: firstFlight },
        unit: "kB",
      })),
      {
        name: "own script of /admin",
        measured: (bytesOf("/admin")?.ownScriptBytes ?? Number.NaN) / 1000,
        limit: { atMost: 20 },
        unit: "kB",
      },
    ],
  };
}
