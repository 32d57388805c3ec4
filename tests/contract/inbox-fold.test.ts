import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "#tests/support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.close());

/** What is searched for, and what it must find. */
const equal: [string, string, string][] = [
  ["alef with hamza", "احمد", "أحمد"],
  ["alef with hamza, typed", "أحمد", "احمد"],
  ["alef with hamza below", "اسلام", "إسلام"],
  ["alef with madda", "امال", "آمال"],
  ["alef wasla", "الكتاب", "ٱلكتاب"],
  ["madda and hamza", "آمال", "أمال"],
  ["decomposed alef with hamza", "أحمد", "ا\u0654حمد"],
  ["decomposed alef with hamza below", "إسلام", "ا\u0655سلام"],
  ["decomposed alef with madda", "آمال", "ا\u0653مال"],
  ["alef maqsura", "مصطفي", "مصطفى"],
  ["alef maqsura, typed", "على", "علي"],
  ["Persian yeh", "علي", "علی"],
  ["Persian yeh and alef maqsura", "علی", "على"],
  ["teh marbuta", "مكتبه", "مكتبة"],
  ["teh marbuta, typed", "مكتبة", "مكتبه"],
  ["hamza on waw", "مسوول", "مسؤول"],
  ["hamza on waw, typed", "مؤسسة", "موسسه"],
  ["decomposed hamza on waw", "مؤسسة", "مو\u0654سسة"],
  ["hamza on yeh", "رييس", "رئيس"],
  ["hamza on yeh, typed", "شيئ", "شيي"],
  ["decomposed hamza on yeh", "رئيس", "ري\u0654يس"],
  ["hamza alone", "سما", "سماء"],
  ["hamza alone, typed", "سماء", "سما"],
  ["hamza within", "قراة", "قراءة"],
  ["high hamza", "سما", "سما\u0674"],
  ["Persian kaf", "كتاب", "کتاب"],
  ["Persian kaf, typed", "شرکة", "شركة"],
  ["tatweel", "سلام", "ســـلام"],
  ["tatweel, typed", "ســـلام", "سلام"],
  ["fatha, damma, kasra", "كتب", "كَتَبَ"],
  ["vowel signs, typed", "مُحَمَّد", "محمد"],
  ["shadda", "محمد", "محمّد"],
  ["sukun", "مكتب", "مكْتب"],
  ["tanween", "شكرا", "شكرًا"],
  ["tanween of damma and kasra", "كتاب", "كتابٌ كتابٍ"],
  ["dagger alef", "الرحمن", "الرحمٰن"],
  ["signs of the Quran", "الله", "ٱللَّهِۖ"],
  ["a vowel sign for each letter", "بسم", "بِسْمِ"],
  ["honorific mark", "محمد", "محمد\u0612"],
  ["Arabic digits", "2026", "٢٠٢٦"],
  ["Arabic digits, typed", "٢٠٢٦", "2026"],
  ["Persian digits", "456", "۴۵۶"],
  ["Persian and Arabic digits", "۴۵۶", "٤٥٦"],
  ["full-width digits", "123", "１２３"],
  ["presentation forms", "سلام", "ﺳﻼﻡ"],
  ["ligature lam alef", "سلام", "سﻻم"],
  ["ligature lam alef with hamza", "لأن", "ﻷن"],
  ["ligature Allah", "الله", "ﷲ"],
  ["ligature of the blessing", "صلى", "ﷺ"],
  ["ligature rial", "ريال", "﷼"],
  ["zero-width joiner", "سلام", "س\u200Dلام"],
  ["zero-width non-joiner", "میروم", "می\u200Cروم"],
  ["right-to-left mark, typed", "سلام\u200F", "سلام"],
  ["Arabic letter mark, typed", "سلا\u061Cم", "سلام"],
  ["direction override, typed", "\u202Eسلام", "سلام"],
  ["direction isolate, typed", "\u2067سلام\u2069", "سلام"],
  ["byte order mark, typed", "\uFEFFسلام", "سلام"],
  ["soft hyphen", "موقع", "مو\u00ADقع"],
  ["within a word", "موقع", "لموقعي"],
  ["after the article", "موقع", "الموقع"],
  ["case", "SHOP", "my shop"],
  ["case of the text", "shop", "My SHOP"],
  ["full-width letters", "shop", "ＳＨＯＰ"],
  ["accents", "cafe", "Café"],
  ["ligature fi", "office", "oﬃce"],
];

const different: [string, string, string][] = [
  ["seen and sheen", "سمس", "شمس"],
  ["dad and zah", "ظرف", "ضرف"],
  ["thal and zain", "ذرع", "زرع"],
  ["hah and khah", "حبر", "خبر"],
  ["teh and theh", "تمر", "ثمر"],
  ["ain and ghain", "عرب", "غرب"],
  ["heh and hah", "هرم", "حرم"],
  ["qaf and feh", "قلب", "فلب"],
  ["peh and beh", "پول", "بول"],
  ["Arabic and its ASCII", "slam", "سلام"],
  ["ASCII and its Arabic", "سلام", "slam"],
  ["the order of letters", "علم", "عمل"],
  ["a shorter text", "موقعي", "موقع"],
  ["digits", "123", "١٢٤"],
  ["percent", "5%1", "501"],
  ["percent alone, twice", "%%", "سلام"],
  ["underscore", "ا_ب", "اتب"],
  ["backslash", "ا\\ب", "اب"],
  ["words of which one is missing", "موقع عيادة", "موقع متجر"],
];

const pairs = [...equal, ...different];

beforeAll(async () => {
  const rows = pairs.map(([name, , message]) => ({
    name,
    email: "x@example.com",
    message,
    created_at: new Date(0),
  }));
  await database.sql`insert into public.contact_messages ${database.sql(rows)}`;
  // Newer ones, as many as are looked at before the index is.
  await database.sql`
    insert into public.contact_messages (name, email, message)
    select 'z', 'z@z.zz', 'z' || n from generate_series(1, 600) n`;
}, 60_000);

/** The pairs whose text is found. */
async function found(query: string): Promise<string[]> {
  const rows = await database.sql<{ name: string }[]>`
    select m.name from private.search_rows(
      ${query}, 'any', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 1000
    ), unnest(matches) m`;
  return rows.map(({ name }) => name);
}

test("the table is long enough, and each of its pairs is one", () => {
  expect(new Set(pairs.map(([name]) => name)).size).toBe(pairs.length);
  expect([equal.length >= 60, different.length >= 15]).toEqual([true, true]);
});

test.each(equal)("%s: %s finds %s", async (name, query) => {
  expect(await found(query)).toContain(name);
});

test.each(different)("%s: %s does not find %s", async (name, query) => {
  expect(await found(query)).not.toContain(name);
});

test("every letter has one place in the index, on a cluster that knows only ASCII", async () => {
  const [row] = await database.sql`
    select extensions.show_trgm('سلام') as bare,
      extensions.show_trgm(private.ascii_letters(private.fold('سلام'))) as mapped,
      (select datctype from pg_database where datname = current_database()) as ctype`;
  expect(row).toMatchObject({ bare: [], ctype: "C" });
  expect(row?.["mapped"].length).toBeGreaterThan(3);
});
