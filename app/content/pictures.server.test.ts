import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shipped } from "#tests/support/shipped-content.ts";
import { readPictures } from "./pictures.server.ts";

const bytesOf = (base64: string) => Buffer.from(base64, "base64");
// One pixel each.
const png = bytesOf(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
);
const gif = bytesOf("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==");

let folder: string;
let url: URL;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pictures-"));
  url = pathToFileURL(`${folder}/`);
  await writeFile(join(folder, "one.png"), png);
  // Known by its content, whatever its name says.
  await writeFile(join(folder, "renamed.webp"), png);
  await writeFile(join(folder, "gif.png"), gif);
  await writeFile(join(folder, "text.png"), "no picture");
  await writeFile(join(folder, "empty.png"), "");
  await writeFile(join(folder, "large.png"), Buffer.concat([png, Buffer.alloc(60_000)]));
  await mkdir(join(folder, "folder.png"));
});
afterAll(() => rm(folder, { recursive: true }));

const work = { title: "متجر", description: "متجر", link: "https://example.com" };
const withPictures = (photo: string, ...pictures: string[]) => ({
  ...shipped,
  photo,
  works: pictures.map((picture) => ({ ...work, picture })),
});

test("the shipped pictures are 512 by 1536 and at most 25 kB", () => {
  const names = ["cosmetics.webp", "services.webp", "lingerie.webp"];
  const read = readPictures({ ...shipped, works: names.map((picture) => ({ ...work, picture })) });
  const pictures = [...read.values()].filter(({ type }) => type === "image/webp");
  expect(pictures).toHaveLength(3);
  for (const { src, width, height, type, bytes } of pictures) {
    expect({ width, height, type }).toEqual({ width: 512, height: 1536, type: "image/webp" });
    expect(src).toMatch(/^\/pictures\/[\w-]{16}\.webp$/);
    expect(bytes.length).toBeLessThanOrEqual(25_000);
  }
  expect(new Set(pictures.map(({ src }) => src)).size).toBe(3);
});

test("a picture is measured, and its address is its content's", () => {
  const pictures = readPictures(withPictures("one.png", "renamed.webp"), url);
  const one = pictures.get("one.png");
  expect(one).toMatchObject({ width: 1, height: 1, type: "image/png", bytes: png });
  expect(pictures.get("renamed.webp")).toEqual(one);
});

test("content without pictures needs no file", () => {
  const content = { ...shipped, works: [{ ...work, picture: undefined }] };
  expect(readPictures(content, url).size).toBe(0);
});

test("every file that is missing, unreadable or too large is named with its field", () => {
  const content = withPictures("nowhere.webp", "gif.png", "text.png", "large.png", "empty.png");
  expect(() => readPictures(content, url)).toThrow(
    [
      "app/content/owner.ts is wrong:",
      "  photo: nowhere.webp is not in app/content/pictures",
      "  works, entry 1, picture: gif.png is no WebP, AVIF, JPEG or PNG that can be read",
      "  works, entry 2, picture: text.png is no WebP, AVIF, JPEG or PNG that can be read",
      "  works, entry 3, picture: large.png has 61 kB, and may have 60",
      "  works, entry 4, picture: empty.png is no WebP, AVIF, JPEG or PNG that can be read",
    ].join("\n"),
  );
  expect(() => readPictures(withPictures("folder.png"), url)).toThrow(
    "photo: folder.png cannot be read (EISDIR)",
  );
});
