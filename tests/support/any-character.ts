import { integer } from "fast-check";

/** Any character of Unicode, for `string`, whose own unit "binary" takes a second of CPU to make. */
export const anyCharacter = integer({ min: 0, max: 0x10_ff_ff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code));
