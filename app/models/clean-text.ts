// zod/mini in a browser's modules: it has a quarter of zod's size.
import * as z from "zod/mini";

interface Rules {
  clean: (text: string) => string;
  /** The longest cleaned text, in UTF-16 units. */
  max: number;
  tooLong: string;
}

// Cleaning removes hidden marks and composes a letter from up to three units.
const uncleanFactor = 4;

/** Cleans and limits a text. It is limited before cleaning too, which costs time. */
export function cleanText({ clean, max, tooLong }: Rules) {
  const atMost = (length: number) =>
    z.string().check(z.maxLength(length, { error: tooLong, abort: true }));
  return z.pipe(z.pipe(atMost(max * uncleanFactor), z.transform(clean)), atMost(max));
}
