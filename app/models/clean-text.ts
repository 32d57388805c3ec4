// The browser loads these schemas too, and mini is a quarter of the whole.
import * as z from "zod/mini";
import { hasPiledMarks } from "#app/lib/plain-text.ts";

interface Rules {
  clean: (text: string) => string;
  /** Of the cleaned text, in UTF-16 units. */
  max: number;
  tooLong: string;
}

// Cleaning removes hidden marks and composes a letter from up to three units.
const uncleanFactor = 4;

const piledMarks = "في النص علامات كثيرة متراكمة على حرف واحد. احذف بعضها.";

/**
 * The schema of a text that is cleaned before it is checked. Its marks are counted before that,
 * because normalising sorts those of a letter in quadratic time (170,000 took 11 s).
 */
export function cleanText({ clean, max, tooLong }: Rules) {
  const unclean = z.string().check(
    z.maxLength(max * uncleanFactor, { error: tooLong, abort: true }),
    z.refine((text) => !hasPiledMarks(text), piledMarks),
  );
  return z.pipe(
    z.pipe(unclean, z.transform(clean)),
    z.string().check(z.maxLength(max, { error: tooLong, abort: true })),
  );
}
