import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { imageSize } from "image-size";
import { type Browser, chromium } from "playwright/test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shoot } from "#tests/pictures/shoot.ts";
import { launchOptions } from "#tests/support/browser/chromium.ts";

/** A landing page: its first screen is as high as the window, its end is loaded when it is seen. */
const shop = `<body style="margin: 0"><h1 style="height: 100vh; margin: 0; background: teal">shop</h1>
<div style="height: 900px; background: gold"></div><img src="/end.svg" loading="lazy" width="1280" height="300">`;
const end = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 300"><path d="M0 0h1280v300H0z"/></svg>`;
const files: Record<string, [type: string, text: string]> = {
  "/shop": ["text/html", shop],
  "/end.svg": ["image/svg+xml", end],
};

const works = createServer(({ url = "" }, response) => {
  const [type, text] = files[url] ?? ["text/html", ""];
  response.writeHead(url in files ? 200 : 404, { "Content-Type": type }).end(text);
});

let browser: Browser;
let folder: string;
let origin: string;

beforeAll(async () => {
  browser = await chromium.launch(launchOptions);
  folder = await mkdtemp(join(tmpdir(), "tawasul-shots-"));
  await new Promise<void>((resolve) => works.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(works.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await browser.close();
  works.close();
  await rm(folder, { recursive: true });
});

/** Returns the colours of a picture at some heights, as a browser shows it. */
async function coloursOf(picture: Buffer, heights: number[]) {
  const page = await browser.newPage();
  const colours = await page.evaluate(
    async ({ base64, rows }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      canvas?.drawImage(bitmap, 0, 0);
      return rows.map((y) => [...(canvas?.getImageData(256, y, 1, 1).data ?? [])].slice(0, 3));
    },
    { base64: picture.toString("base64"), rows: heights },
  );
  await page.close();
  return colours;
}

test("a work is photographed as a whole, also what appears when it is seen", async () => {
  const bytes = await shoot(browser, { link: `${origin}/shop`, file: "shop.webp" }, folder);
  const picture = await readFile(join(folder, "shop.webp"));
  expect(picture.length).toBe(bytes);
  expect(bytes).toBeLessThanOrEqual(25_000);
  // 800 + 900 + 300 pixels, at two fifths.
  expect(imageSize(picture)).toMatchObject({ width: 512, height: 800, type: "webp" });
  const [teal = [], gold = [], black = []] = await coloursOf(picture, [200, 500, 740]);
  expect(Math.abs((teal[1] ?? 0) - 128)).toBeLessThan(10);
  expect(gold[0]).toBeGreaterThan(245);
  expect(Math.max(...black)).toBeLessThan(10);
});

test.each([
  ["/gone", "kept.webp", "the server answered 404"],
  ["/shop", "kept.png", "not a name for a WebP"],
])("a failure on %s as %s says why, and changes nothing", async (path, file, reason) => {
  await writeFile(join(folder, file), "as it was");
  const shot = shoot(browser, { link: `${origin}${path}`, file }, folder);
  await expect(shot).rejects.toThrow(reason);
  expect(await readFile(join(folder, file), "utf8")).toBe("as it was");
  expect(await readdir(folder)).not.toContain(`${file}.new`);
});
