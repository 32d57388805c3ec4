/** The name must be unique. */
type Pair = [name: string, query: string, text: string];

/** Queries and texts that must match. */
export const equal: Pair[] = [
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
];

/** Queries and texts that must not match. */
export const different: Pair[] = [
  ["seen and sheen", "سمس", "شمس"],
  ["peh and beh", "پول", "بول"],
  ["the order of letters", "علم", "عمل"],
  ["a shorter text", "موقعي", "موقع"],
  ["digits", "123", "١٢٤"],
  ["percent", "5%1", "501"],
  ["underscore", "ا_ب", "اتب"],
  ["backslash", "ا\\ب", "اب"],
  ["words of which one is missing", "موقع عيادة", "موقع متجر"],
];
