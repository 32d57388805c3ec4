import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { imageSize } from "image-size";
import { fieldName, wrongContent } from "./check-owner.ts";
import { owner } from "./owner.ts";
import type { Owner } from "./schema.ts";

/** The attributes of a picture in a page. */
export interface Picture {
  /** An address that changes with the content. */
  src: string;
  width: number;
  height: number;
}

export interface PictureFile extends Picture {
  type: string;
  bytes: Buffer<ArrayBuffer>;
}

/** What a shared link shows: 1200 × 630, made by npm run card. */
export const cardFile = "card.jpg";

const mostBytes = 60_000;
// The card is no part of the page.
const mostBytesOfCard = 100_000;
const types: Record<string, string> = {
  avif: "image/avif",
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
};

/**
 * Reads and measures the pictures that the content names.
 * @returns them by their file's name
 * @throws {StartError} naming each field whose file is missing, no picture or too large
 */
export function readPictures(
  content: Owner = owner,
  folder = new URL("pictures/", import.meta.url),
): Map<string, PictureFile> {
  const card = existsSync(new URL(cardFile, folder)) ? cardFile : undefined;
  const fields = [
    { field: "card", name: card, most: mostBytesOfCard },
    { field: "photo", name: content.photo },
    ...content.works.map(({ picture }, index) => ({
      field: fieldName(["works", index, "picture"]),
      name: picture,
    })),
  ];
  const pictures = new Map<string, PictureFile>();
  const mistakes: string[] = [];
  for (const { field, name, most = mostBytes } of fields) {
    if (name === undefined) {
      continue;
    }
    const picture = readPicture(new URL(name, folder), most);
    if (typeof picture === "string") {
      mistakes.push(`${field}: ${name} ${picture}`);
    } else {
      pictures.set(name, picture);
    }
  }
  if (mistakes.length > 0) {
    throw wrongContent(mistakes);
  }
  return pictures;
}

/** Returns a picture, or what is wrong with its file. */
function readPicture(file: URL, most: number): PictureFile | string {
  let bytes: Buffer<ArrayBuffer>;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT"
      ? "is not in app/content/pictures"
      : `cannot be read (${code ?? String(error)})`;
  }
  if (bytes.length > most) {
    return `has ${Math.ceil(bytes.length / 1000)} kB, and may have ${most / 1000}`;
  }
  const { type: format = "", width, height } = sizeOf(bytes);
  const type = types[format];
  if (type === undefined || !width || !height) {
    return "is no WebP, AVIF, JPEG or PNG that can be read";
  }
  const src = `/pictures/${hash("sha256", bytes, "base64url").slice(0, 16)}.${format}`;
  return { src, width, height, type, bytes };
}

function sizeOf(bytes: Buffer<ArrayBuffer>): Partial<ReturnType<typeof imageSize>> {
  try {
    return imageSize(bytes);
  } catch {
    return {};
  }
}
