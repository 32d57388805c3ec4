import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold, matchesIn, searchWords } from "#app/lib/fold.ts";
import { anyCharacter } from "#tests/support/any-character.ts";

/** The name must be unique. */
type Pair = [name: string, query: string, text: string];

/** Queries and texts that must match. */
const equal: Pair[] = [
  ["alef with hamza", "احمد", "أحمد"],
  ["alef with madda", "امال", "آمال"],
  ["alef wasla", "الكتاب", "ٱلكتاب"],
  ["decomposed alef with hamza", "أحمد", "ا\u0654حمد"],
  ["alef maqsura", "مصطفي", "مصطفى"],
  ["Persian yeh", "علي", "علی"],
  ["teh marbuta", "مكتبه", "مكتبة"],
  ["hamza on waw", "مسوول", "مسؤول"],
  ["hamza on yeh", "رييس", "رئيس"],
  ["hamza alone", "سما", "سماء"],
  ["high hamza", "سما", "سما\u0674"],
  ["Persian kaf", "كتاب", "کتاب"],
  ["tatweel", "سلام", "ســـلام"],
  ["fatha, damma, kasra", "كتب", "كَتَبَ"],
  ["shadda", "محمد", "محمّد"],
  ["tanween", "شكرا", "شكرًا"],
  ["dagger alef", "الرحمن", "الرحمٰن"],
  ["signs of the Quran", "الله", "ٱللَّهِۖ"],
  ["honorific mark", "محمد", "محمد\u0612"],
  ["Arabic digits", "2026", "٢٠٢٦"],
  ["Persian digits", "456", "۴۵۶"],
  ["presentation forms", "سلام", "ﺳﻼﻡ"],
  ["ligature lam alef with hamza", "لأن", "ﻷن"],
  ["zero-width joiner", "سلام", "س\u200Dلام"],
  ["right-to-left mark, typed", "سلام\u200F", "سلام"],
  ["soft hyphen", "موقع", "مو\u00ADقع"],
  ["within a word", "موقع", "لموقعي"],
  ["case", "SHOP", "my shop"],
  ["accents", "cafe", "Café"],
  ["hamza before waw, on yeh", "مسئول", "مسؤول"],
  ["hamza before waw, on waw", "شؤون", "شُئُون"],
  ["hamza before waw, alone", "رؤوس", "رءوس"],
  ["hamza between yeh and teh marbuta", "هيأة", "هيئة"],
  ["hamza on alef before teh marbuta", "امراة", "امرأة"],
  ["Egyptian spelling without a seat", "شئ", "شيء"],
  ["yeh for hamza", "عايشة", "عائشة"],
  ["Urdu heh", "هاشم", "ہاشم"],
  ["heh of two eyes", "هاشم", "ھاشم"],
  ["Urdu yeh", "بڑي", "بڑے"],
  ["Kurdish heh", "كورده", "کوردە"],
  ["Kurdish letters", "كورديستان", "کوردێستان"],
  ["other kaf", "كتاب", "ڪتاب"],
  ["veh", "فيديو", "ڤيديو"],
  ["peh", "كمبيوتر", "کمپیوتر"],
  ["thousands", "1500", "١٬٥٠٠"],
  ["decimals", "1.5", "١٫٥"],
  ["percent sign", "50%", "٥٠٪"],
  ["sharp s", "strasse", "Straße"],
  ["sharp s, typed", "STRAẞE", "strasse"],
];

/** Queries and texts that must not match. */
const different: Pair[] = [
  ["seen and sheen", "سمس", "شمس"],
  ["alef and waw", "سوال", "ساال"],
  ["the order of letters", "علم", "عمل"],
  ["a shorter text", "موقعي", "موقع"],
  ["digits", "123", "١٢٤"],
  ["percent", "5%1", "501"],
  ["underscore", "ا_ب", "اتب"],
  ["backslash", "ا\\ب", "اب"],
  ["words of which one is missing", "موقع عيادة", "موقع متجر"],
];

/** The text with its matches in brackets. */
function marked(text: string, query: string): string {
  let last = 0;
  const parts = matchesIn(text, searchWords(query)).map((place, index) => {
    const part = text.slice(last, place) + (index % 2 === 0 ? "[" : "]");
    last = place;
    return part;
  });
  return parts.join("") + text.slice(last);
}

const hasAll = (text: string, query: string) =>
  searchWords(query).every((word) => fold(text).text.includes(word));

test.each(equal)("%s: %s is marked in %s", (_name, query, text) => {
  expect(hasAll(text, query)).toBe(true);
  expect(marked(text, query)).toContain("[");
});

test.each(different)("%s: %s is not in %s", (_name, query, text) => {
  expect(hasAll(text, query)).toBe(false);
});

describe("what is marked", () => {
  test.each([
    ["a part of a word", "لموقعي", "موقع", "ل[موقع]ي"],
    ["the vowel signs on it", "مَوقِعًا", "موقع", "[مَوقِعً]ا"],
    ["a tatweel within and after it", "سـلامــ", "سلام", "[سـلامــ]"],
    ["a hamza after it", "سماء", "سما", "[سماء]"],
    ["a ligature as a whole", "لا إله إلا ﷲ وحده", "له", "لا إ[له] إلا [ﷲ] وحده"],
    ["a letter of two units as a whole", "a😀b", "😀", "a[😀]b"],
    ["each of several", "موقع ومتجر وموقع", "موقع متجر", "[موقع] و[متجر] و[موقع]"],
    ["what overlaps once", "abcd", "abc bcd", "[abcd]"],
    ["neighbours as one", "aaaa", "aa", "[aaaa]"],
    ["marks of patterns as text", "5%_\\x", "%_\\", "5[%_\\]x"],
    ["nothing without a word", "سلام", "ًٌٍ", "سلام"],
    ["nothing that is another text's", "__proto__", "constructor", "__proto__"],
    ["digits", "هاتف ٠٥٥ و۰۵۵", "055", "هاتف [٠٥٥] و[۰۵۵]"],
  ])("%s", (_what, text, query, expected) => {
    expect(marked(text, query)).toBe(expected);
  });

  test("is at most a hundred places of a text, the first ones", () => {
    const places = matchesIn("من ".repeat(1666), ["من"]);
    expect(places.slice(0, 4)).toEqual([0, 2, 3, 5]);
    expect(places).toHaveLength(200);
  });

  test("lies in the text, in order, at the borders of characters", () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 200 });
    fc.assert(
      fc.property(text, fc.nat(200), fc.nat(20), (original, from, length) => {
        const points = Array.from(original);
        const query = points.slice(from, from + length).join("");
        const places = matchesIn(original, searchWords(query));
        expect(places.length % 2).toBe(0);
        expect(places).toEqual(Array.from(new Set(places)).toSorted((a, b) => a - b));
        const borders = new Set([0]);
        let at = 0;
        for (const point of points) {
          at += point.length;
          borders.add(at);
        }
        expect(places.filter((place) => !borders.has(place))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

test.each([
  ["the longest ligature", "ﷺ".repeat(5000), "صلي الله عليه وسلم وس"],
  ["a word that is nearly there", "a".repeat(5000), `${"a".repeat(98)}b`],
  ["marks without a letter", "\u0301\u0323".repeat(2500), "a\u0301"],
  ["one letter everywhere", "a".repeat(5000), "a aa aaa"],
])("a page of long messages takes less than half a second: %s", (_what, text, query) => {
  const words = searchWords(query);
  const since = process.cpuUsage();
  for (let message = 0; message < 50; message += 1) {
    matchesIn(text, words);
  }
  expect(process.cpuUsage(since).user / 1000).toBeLessThan(500);
});
