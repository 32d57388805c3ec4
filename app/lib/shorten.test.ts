import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "#tests/support/any-character.ts";
import { plainLine, plainText } from "./plain-text.ts";
import { shorten } from "./shorten.ts";

const plenty = 100_000;
const letters = (most: number, end?: string) => ({
  letters: most,
  bytes: plenty,
  ...(end !== undefined && { end }),
});

test.each([
  ["أريد صفحة هبوط", letters(14), "أريد صفحة هبوط"],
  ["أريد صفحة هبوط", letters(13), "أريد صفحة"],
  ["أريد صفحة هبوط", letters(9, "…"), "أريد…"],
  ["أريد صفحة هبوط", { letters: 100, bytes: 6 * 4 }, "أريد"],
  ["سطر\r\n\r\nوآخر\tبعده", letters(20), "سطر وآخر بعده"],
  ["ككككككككككك", letters(5, "…"), "كككك…"],
  ["سَلَامٌ", letters(2), "سَ"],
  ["👩\u200D💻👩\u200D💻", letters(4), "👩\u200D💻"],
  ["👩\u200D💻", letters(2, "…"), ""],
  ["\uD83D نص \uDE00", letters(10), "نص"],
])("%j in %j is %j", (text, room, short) => {
  expect(shorten(text, room)).toBe(short);
});

test("of a text that goes on beyond what is looked at, no half word and no half letter", () => {
  expect(shorten(`أول ${"كلمة".repeat(9)} ثان`, letters(4))).toBe("أول");
  expect(shorten("س\u064E\u0651".repeat(100), letters(10))).toBe("س\u064E\u0651".repeat(3));
});

const unit = fc.oneof(
  fc.constantFrom(
    "س",
    "ل",
    " ",
    "\n",
    "\r\n",
    "ّ",
    "\u0301",
    "\u202E",
    "\u200D",
    "👩",
    "🏽",
    "🇸🇦",
    "%",
  ),
  fc.string({ unit: anyCharacter, maxLength: 2 }),
);

test("whatever the text is, it fits, is well formed and begins as its line does", () => {
  fc.assert(
    fc.property(
      fc.array(unit, { maxLength: 200 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 200 }),
      fc.constantFrom("", "…"),
      (units, most, bytes, end) => {
        const text = plainText(units.join("").replace(/\p{Cs}/gu, ""));
        const short = shorten(text, { letters: most, bytes, end });
        expect(Array.from(short).length).toBeLessThanOrEqual(most);
        expect(encodeURIComponent(short).length).toBeLessThanOrEqual(bytes);
        expect(short).not.toMatch(/\p{Cc}/u);
        const line = plainLine(text);
        const kept = short.slice(0, Math.max(0, short.length - end.length));
        expect(short === line || short === "" || line.startsWith(kept)).toBe(true);
        expect(short === line || short === "" || short.endsWith(end)).toBe(true);
      },
    ),
    { numRuns: 1000 },
  );
});
