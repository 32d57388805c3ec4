import { chromium } from "playwright/test";
import { launchOptions } from "#tests/support/browser/chromium.ts";
import type { Figure, Outcome } from "./measure.ts";
import { cookiesOf, openPages } from "./pages.ts";
import { weigh } from "./wire.ts";

// In kB: TCP's initial window of ten segments (RFC 6928).
const firstFlight = 14.6;
const limits: Record<string, number> = {
  "/": firstFlight,
  "not found": firstFlight,
};

/** Measures the bytes of each page before any interaction, as Chromium counts them. */
export default async function measureWeight(): Promise<Outcome> {
  await using opened = await openPages();
  const browser = await chromium.launch(launchOptions);
  const icon = await weigh(
    await browser.newPage(),
    new URL("/icon.svg", opened.pages[0]?.url).href,
  );
  const figures: Figure[] = [];
  for (const { name, ...page } of opened.pages) {
    const context = await browser.newContext();
    await context.addCookies(cookiesOf(page));
    const weight = await weigh(await context.newPage(), page.url);
    await context.close();
    if (weight.pictureBytes > 0) {
      figures.push({
        name: `${name}, before its pictures`,
        value: weight.bytes / 1000,
        unit: `kB in ${weight.requests} request`,
        atMost: 12.5,
      });
    }
    weight.requests += icon.requests;
    weight.bytes += icon.bytes;
    const limit = name in limits ? { atMost: limits[name] } : {};
    figures.push(
      { name, value: weight.bytes / 1000, unit: `kB in ${weight.requests} requests`, ...limit },
      { name: `${name}, layout shift`, value: weight.shift, unit: "", atMost: 0 },
    );
    if (weight.pictureBytes > 0) {
      figures.push({
        name: `${name}, its pictures`,
        value: weight.pictureBytes / 1000,
        unit: "kB",
      });
    }
    if (weight.scripts > 0) {
      const [document, style] = [weight.documentBytes / 1000, weight.styleBytes / 1000];
      figures.push(
        { name: `${name}, the document`, value: document, unit: "kB" },
        { name: `${name}, its style sheet, kept by the browser`, value: style, unit: "kB" },
        { name: `${name}, scripts`, value: weight.scriptBytes / 1000, unit: "kB", atMost: 130 },
      );
    }
  }
  await browser.close();
  return {
    title: "Weight of the pages",
    note: "Bytes on the wire with headers and the icon, before any interaction; the owner's pictures by themselves. Browsers ask for the icon when the page has loaded.",
    figures,
  };
}
