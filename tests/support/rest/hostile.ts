import * as fc from "fast-check";

const fragments = [
  "",
  "'",
  "''",
  '"',
  '""',
  "\\",
  "\\'",
  "`",
  ";",
  "--",
  "/*",
  "*/",
  "$1",
  "$$",
  "$a$",
  "%",
  "*",
  "{",
  "}",
  "(",
  ")",
  ",",
  ".",
  ":",
  "::",
  "->",
  "->>",
  "null",
  "\0",
  "\uD800",
  "\uDFFF",
  "\u202E",
  "\uFEFF",
  "\r\n",
  "م",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  " or 1=1",
  "'; drop table books; --",
  '"; select pg_sleep(9); --',
  "') union select id from locked --",
  "is not null or cast(query_to_xml('select * from locked',false,true,'') as text)::int>0 or 'x' =",
  "set_config('role','service_role',true)",
  "row_to_json",
  "locked",
  "private.site_owner",
  "t.*",
  "s.*",
  "ctid",
  "public.books",
  "id",
  "title",
  "eq",
  "imatch.x",
  "not.and",
];

/** Texts that try to break out of a name, an operator or a value. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...fragments) },
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...fragments), { maxLength: 6 }).map((all) => all.join("")),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }) },
);

/** Percent-encodes. Writes lone surrogates as three bytes, which are invalid UTF-8. */
export function encode(text: string): string {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0xd800 || code > 0xdfff) {
      return encodeURIComponent(character);
    }
    const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
    return bytes.map((byte) => `%${byte.toString(16)}`).join("");
  }).join("");
}

/** Quotes a name or value by PostgREST's grammar. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
