// The browser loads these schemas too, and mini is a quarter of the whole.
import * as z from "zod/mini";
import { hasPiledMarks } from "#app/lib/plain-text.ts";

interface Rules {
  /** Any of lib/plain-text.ts. */
  clean: (text: string) => string;
  /** Of the cleaned text, in UTF-16 units. */
  max: number;
  tooLong: string;
}

// Cleaning takes hidden marks away and makes one letter of up to three units.
const uncleanFactor = 4;

const piledMarks = "في النص علامات كثيرة متراكمة على حرف واحد. احذف بعضها.";

/**
 * The schema of a text that is cleaned before it is checked. What cleaning costs is bounded
 * first: it sorts the marks on a letter in quadratic time (170,000 of them took 11 s).
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
