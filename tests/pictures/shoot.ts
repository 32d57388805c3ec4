import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright/test";

export const pictureFolder = fileURLToPath(new URL("../../app/content/pictures", import.meta.url));

const viewport = { width: 1280, height: 800 };
// A picture of 512 × 1536; of a longer page the beginning.
const scale = 0.4;
const mostHeight = 3840;
const mostBytes = 25_000;
const qualities = [85, 75, 65, 55, 45, 40, 35, 25, 15];
const loadMs = 30_000;
const restMs = 5_000;

/**
 * Photographs a whole page of the web as a WebP picture, 512 wide, at most 1536 high and 25 kB large.
 * @returns its size in bytes
 * @throws {Error} whose first line says why there is no picture; a file of this name is left as it was
 */
export async function shoot(
  browser: Browser,
  { link, file }: { link: string; file: string },
  folder: string,
): Promise<number> {
  if (!file.endsWith(".webp")) {
    throw new Error(`${file} is not a name for a WebP picture`);
  }
  const context = await browser.newContext({ viewport, reducedMotion: "reduce", locale: "ar" });
  try {
    const page = await context.newPage();
    const response = await page.goto(link, { waitUntil: "load", timeout: loadMs });
    if (!response?.ok()) {
      throw new Error(`the server answered ${response?.status()}`);
    }
    await page.evaluate(readToTheEnd, viewport.height);
    // A page that never rests is photographed as it is by then.
    await page.waitForLoadState("networkidle", { timeout: restMs }).catch(() => undefined);
    const height = await page.evaluate(async () => {
      await document.fonts.ready;
      return document.documentElement.scrollHeight;
    });
    const clip = { x: 0, y: 0, width: viewport.width, height: Math.min(height, mostHeight), scale };
    // Playwright writes no WebP; Chromium does.
    const session = await context.newCDPSession(page);
    const picture = await smallEnough(mostBytes, async (quality) => {
      const { data } = await session.send("Page.captureScreenshot", {
        format: "webp",
        quality,
        clip,
        captureBeyondViewport: true,
      });
      return Buffer.from(data, "base64");
    });
    await replace(join(folder, file), picture);
    return picture.length;
  } finally {
    await context.close();
  }
}

/** Evaluated in the page: scrolls through it, for pictures and parts that appear when they are seen. */
async function readToTheEnd(step: number) {
  const { documentElement: page } = document;
  for (let top = 0; top < page.scrollHeight; top += step) {
    window.scrollTo({ top, behavior: "instant" });
    await new Promise((done) => setTimeout(done, 150));
  }
  window.scrollTo({ top: 0, behavior: "instant" });
}

/** Returns the best picture that has at most so many bytes. @throws {Error} if none has */
export async function smallEnough(
  most: number,
  capture: (quality: number) => Promise<Buffer>,
): Promise<Buffer> {
  for (const quality of qualities) {
    const picture = await capture(quality);
    if (picture.length <= most) {
      return picture;
    }
  }
  throw new Error(`the picture has more than ${most / 1000} kB at any quality`);
}

/** Replaces a file as a whole. */
export async function replace(path: string, bytes: Buffer): Promise<void> {
  await writeFile(`${path}.new`, bytes);
  await rename(`${path}.new`, path);
}
