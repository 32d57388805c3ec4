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

const works = createServer((request, response) => {
  response.writeHead(request.url === "/gone" ? 404 : 200, { "Content-Type": "text/html" });
  response.end(`<body style="background: linear-gradient(teal, gold)"><h1>${request.url}</h1>`);
});

let browser: Browser;
let folder: string;
let origin: string;

beforeAll(async () => {
  browser = await chromium.launch(await launchOptions());
  folder = await mkdtemp(join(tmpdir(), "tawasul-shots-"));
  await new Promise<void>((resolve) => works.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(works.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await browser.close();
  works.close();
  await rm(folder, { recursive: true });
});

test("a work is photographed as a picture that the page takes", async () => {
  const bytes = await shoot(browser, { link: `${origin}/shop`, file: "shop.webp" }, folder);
  const picture = await readFile(join(folder, "shop.webp"));
  expect(picture.length).toBe(bytes);
  expect(bytes).toBeLessThanOrEqual(40_000);
  expect(imageSize(picture)).toMatchObject({ width: 1280, height: 800, type: "webp" });
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

test("a site that cannot be reached says so", async () => {
  const shot = shoot(browser, { link: "http://127.0.0.1:1/", file: "none.webp" }, folder);
  await expect(shot).rejects.toThrow("ERR_UNSAFE_PORT");
});
