import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { asciiDomain, isAccountEmail, isEmail } from "#app/lib/email.ts";
import { plainText } from "#app/lib/plain-text.ts";
import { fieldNames, messageSchema } from "#app/models/message-fields.server.ts";
import { anyCharacter } from "#tests/support/any-character.ts";
import { startTestDatabase } from "#tests/support/database.ts";
import { valuesOf } from "#tests/support/values.ts";

const database = await startTestDatabase();
afterAll(() => database.close());

const good = { name: "نورة", email: "noura@example.com", message: "أريد صفحة" };
const empty = Object.fromEntries(fieldNames.map((name) => [name, ""]));
const typed = (message: typeof good) => ({ ...empty, ...message });
const marks = (count: number) => `س${"\u0651".repeat(count)}`;

/** Whether the table accepts a message that is stored without the form. */
async function tableTakes(message: object): Promise<boolean> {
  const inserted = database.sql`insert into public.contact_messages ${valuesOf(message)}`;
  const code = await inserted.then(
    () => undefined,
    (error: { code?: string }) => error.code ?? "none",
  );
  expect([undefined, "23514"]).toContain(code);
  return code === undefined;
}

const refused: [string, Partial<typeof good>][] = [
  ["a name of a Hangul filler", { name: "\u3164" }],
  ["a name of tags", { name: "\u{E0041}\u{E0042}" }],
  ["a name of a line separator", { name: "\u2028" }],
  ["a name of a mark", { name: "\u0301" }],
  ["a message of a mark", { message: "\u0651" }],
];
const taken: [string, Partial<typeof good>][] = [
  ["a letter under marks as many as fit", { name: marks(99), message: marks(4_999) }],
  ["vowelled Arabic", { message: "بِسْمِ ٱللَّٰهِ ٱلرَّحْمَٰنِ ٱلرَّحِيمِ" }],
  ["an emoji of several parts", { name: "\u{1F469}\u200D\u{1F4BB}\uFE0F" }],
  ["a filler beside a letter", { name: "ㄱ\u3164" }],
  ["a line separator in a message", { message: "a\u2028b" }],
  ["marks that are taken apart", { message: "\u0344".repeat(15) + "a" }],
];

test.each(refused)("%s: both the form and the table refuse it", async (_, fields) => {
  const message = { ...good, ...fields };
  expect(messageSchema.safeParse(typed(message)).success).toBe(false);
  expect(await tableTakes(message)).toBe(false);
});

test.each(taken)("%s: the table accepts the text that the form cleans", async (_, fields) => {
  expect(await tableTakes(messageSchema.parse(typed({ ...good, ...fields })))).toBe(true);
});

test("the form turns a line separator in a name into a space, and the table refuses it", async () => {
  const message = { ...good, name: "نورة\u2028سعد" };
  expect(messageSchema.parse(typed(message)).name).toBe("نورة سعد");
  expect(await tableTakes(message)).toBe(false);
});

/** What the form says of a character: alone, in a text, in each part of an address. */
const rulesOf = (char: string) => [
  plainText(char) !== "",
  plainText(`a${char}b`) === `a${char}b`.normalize("NFC"),
  isEmail(`a${char}b@c.d`),
  isEmail(`a@b${char}c.d`),
];

// All of the alphabets and of the forms that imitate them; of the others every 29th, from a place that a
// failure prints.
const place = Number(process.env["TEXT_PLACE"] ?? Math.floor(Math.random() * 29));

test("both sides agree about every character, in texts and in addresses", async () => {
  const rows = await database.sql<{ code: number; rules: boolean[] }>`
    select code, array[
      private.is_visible(chr(code)), private.is_plain_text('a' || chr(code) || 'b', 9),
      private.is_email('a' || chr(code) || 'b@c.d'), private.is_email('a@b' || chr(code) || 'c.d')
    ] as rules
    from generate_series(1, 1114111) as code where code not between 55296 and 57343
      and (code < 12544 or code between 63744 and 65535 or code between 917504 and 921600
        or code % 29 = ${place}::integer)`;
  const differences = rows.filter(
    ({ code, rules }) => String(rules) !== String(rulesOf(String.fromCodePoint(code))),
  );
  expect({ TEXT_PLACE: place, differences }).toEqual({ TEXT_PLACE: place, differences: [] });
  expect(rows.length).toBeGreaterThan(50_000);
});

/** Returns the texts that the table accepts as addresses. */
async function tableTakesEmails(texts: string[]): Promise<boolean[]> {
  const rows = await database.sql`
    select private.is_email(text) as taken
    from unnest(${texts}::text[]) with ordinality as given (text, place) order by place`;
  return rows.map((row) => row["taken"]);
}

const addresses = [
  "محمد@مثال.السعودية",
  "x@xn--mgbh0fb.xn--mgberp4a5d4ar",
  "x@münchen.de",
  "a%b/c@example.com",
  "first.last+tag@sub.example.co.uk",
  "o'neil@example.com",
  "1@2.example",
  "मेल@डाटामेल.भारत",
  `${"x".repeat(64)}@example.com`,
  `x@${"y".repeat(63)}.com`,
];

const hiddenCharacters =
  "\u200B\u200D\u200E\u202E\u2060\u2066\u061C\uFEFF\u00AD\u00A0\u3000\u034F\u180E\uFE0F\uFF20\u{E0041}";

const others = [
  "",
  "x",
  "x@",
  "@example.com",
  "x@example",
  "x@example.",
  "x@.com",
  "x@-a.com",
  "x@a-.com",
  ".x@example.com",
  "x..y@example.com",
  "x@y@example.com",
  "x y@example.com",
  '"x"@example.com',
  "<x@example.com>",
  "x@example.com, y@example.com",
  "x@1.2.3.4",
  "x@[1.2.3.4]",
  "x@a_b.com",
  "x@example.com،",
  "x@example.comـ",
  "x@ex؟ample.com",
  "x@exam“ple.com",
  "x@😀.com",
  "x@example.com\n",
  `${"x".repeat(65)}@example.com`,
  `x@${"y".repeat(64)}.com`,
  ...Array.from(hiddenCharacters, (hidden) => `a${hidden}b@exa${hidden}mple.com`),
];

test("the form and the table take the same addresses", async () => {
  const texts = [...addresses, ...others];
  const expected = texts.map((text, index) => [text, index < addresses.length]);
  expect(texts.map((text) => [text, isEmail(text)])).toEqual(expected);
  const stored = await tableTakesEmails(texts);
  expect(texts.map((text, index) => [text, stored[index]])).toEqual(expected);
});

test("the form and the table agree on any text", async () => {
  const unit = fc.constantFrom(
    ...Array.from("aZ9.@-+%/_ \"'\\[]م٢ü漢।\u0300\u200C\u200F\uFE0F\u3002\u{1F600}\u{E0041}"),
  );
  const part = fc.string({ unit, minLength: 0, maxLength: 6 });
  const anyUnit = fc
    .string({ unit: anyCharacter, maxLength: 8 })
    .map((text) => text.replaceAll("\0", ""));
  const address = fc.oneof(
    part,
    fc.tuple(part, part, part).map(([a, b, c]) => `${a}@${b}.${c}`),
    fc.tuple(anyUnit, anyUnit).map(([a, b]) => `a${a}@b${b}.c`),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(address, { minLength: 200, maxLength: 200 }), async (texts) => {
      const sound = texts.filter((text) => text.isWellFormed());
      expect(await tableTakesEmails(sound)).toEqual(sound.map(isEmail));
    }),
    { numRuns: 10 },
  );
});

test("the domain of an account is stored in ASCII", () => {
  expect(asciiDomain("x@مثال.السعودية")).toBe("x@xn--mgbh0fb.xn--mgberp4a5d4ar");
  expect(asciiDomain("x@MÜNCHEN.de")).toBe("x@xn--mnchen-3ya.de");
  expect(asciiDomain("x@example.com")).toBe("x@example.com");
  for (const text of ["x@exa/mple.com", "x@b.com:80", "x@b.com?c", "x@b.com#c", "x", "محمد@x"]) {
    expect(asciiDomain(text)).toBe(text);
  }
  expect(["x@example.com", "a%b@xn--mgbh0fb.com", "محمد@example.com"].map(isAccountEmail)).toEqual([
    true,
    true,
    false,
  ]);
});
