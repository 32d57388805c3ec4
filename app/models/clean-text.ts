// zod/mini in a browser's modules: it has a quarter of zod's size.
import * as z from "zod/mini";
import { hasPiledMarks } from "#app/lib/plain-text.ts";

interface Rules {
  clean: (text: string) => string;
  /** The longest cleaned text, in UTF-16 units. */
  max: number;
  tooLong: string;
}

// Cleaning removes hidden marks and composes a letter from up to three units.
const uncleanFactor = 4;

const piledMarks = "في النص علامات كثيرة متراكمة على حرف واحد. احذف بعضها.";

/** Cleans and limits a text. It is limited before cleaning too: normalizing 170,000 marks took 11 s. */
export function cleanText({ clean, max, tooLong }: Rules) {
  const isNotPiled = z.refine<string>((text) => !hasPiledMarks(text), {
    error: piledMarks,
    abort: true,
  });
  const unclean = z
    .string()
    .check(z.maxLength(max * uncleanFactor, { error: tooLong, abort: true }), isNotPiled);
  return z.pipe(
    z.pipe(unclean, z.transform(clean)),
    // Checked again: cleaning decomposes some marks and joins others.
    z.string().check(z.maxLength(max, { error: tooLong, abort: true }), isNotPiled),
  );
}
