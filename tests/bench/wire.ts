import type { Page } from "playwright/test";

/** A page's bytes on the wire, headers included, and its layout shift. */
export interface Weight {
  requests: number;
  bytes: number;
  /** Of `bytes`: the page itself, and its style sheet if that is a file. */
  documentBytes: number;
  styleBytes: number;
  /** The pictures of the content, which are as heavy as the owner wants. They are not in the others. */
  pictureBytes: number;
  scripts: number;
  /** Compressed, without headers. */
  scriptBytes: number;
  /** Cumulative layout shift. */
  shift: number;
}

/** Opens a page without Chromium's cache, runs `touch`, and waits until the network is idle. */
export async function weigh(page: Page, url: string, touch?: () => Promise<void>): Promise<Weight> {
  const weight: Weight = {
    requests: 0,
    bytes: 0,
    documentBytes: 0,
    styleBytes: 0,
    pictureBytes: 0,
    scripts: 0,
    scriptBytes: 0,
    shift: 0,
  };
  const session = await page.context().newCDPSession(page);
  const responses = new Map<string, { type: string; url: string; headerBytes: number }>();
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    // Some versions of Chromium report data: URLs and the icon as requests, others do not.
    if (response.url.startsWith("http") && type !== "Other") {
      const headerBytes = response.encodedDataLength;
      responses.set(requestId, { type, url: response.url, headerBytes });
    }
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const response = responses.get(requestId);
    if (!response) {
      return;
    }
    if (new URL(response.url).pathname.startsWith("/pictures/")) {
      weight.pictureBytes += encodedDataLength;
      return;
    }
    weight.requests += 1;
    weight.bytes += encodedDataLength;
    if (response.type === "Document") {
      weight.documentBytes += encodedDataLength;
    } else if (response.type === "Stylesheet") {
      weight.styleBytes += encodedDataLength;
    } else if (response.type === "Script") {
      weight.scripts += 1;
      weight.scriptBytes += encodedDataLength - response.headerBytes;
    }
  });
  // What the page before is still loading is not counted.
  await page.goto("about:blank");
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await page.goto(url, { waitUntil: "networkidle" });
  if (touch) {
    await touch();
    await page.waitForLoadState("networkidle");
  }
  weight.shift = await page.evaluate(layoutShift);
  await session.detach();
  return weight;
}

function layoutShift(): number {
  let sum = 0;
  const observer = new PerformanceObserver(() => undefined);
  observer.observe({ type: "layout-shift", buffered: true });
  for (const entry of observer.takeRecords()) {
    sum += (entry as PerformanceEntry & { value: number }).value;
  }
  return sum;
}
