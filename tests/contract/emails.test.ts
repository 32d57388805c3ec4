import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { asciiDomain, isAccountEmail, isEmail } from "#app/lib/email.ts";
import { startTestDatabase } from "#tests/support/database.ts";

const database = await startTestDatabase();
afterAll(() => database.close());

/** Returns the texts that the table accepts as addresses. */
async function tableTakes(texts: string[]): Promise<boolean[]> {
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
  "x@example.com\n",
  `${"x".repeat(65)}@example.com`,
  `x@${"y".repeat(64)}.com`,
  ...Array.from(hiddenCharacters, (hidden) => `a${hidden}b@exa${hidden}mple.com`),
];

test("the form and the table take the same addresses", async () => {
  const texts = [...addresses, ...others];
  const expected = texts.map((text, index) => [text, index < addresses.length]);
  expect(texts.map((text) => [text, isEmail(text)])).toEqual(expected);
  const taken = await tableTakes(texts);
  expect(texts.map((text, index) => [text, taken[index]])).toEqual(expected);
});

test("the form and the table agree on any text", async () => {
  const unit = fc.constantFrom(
    ...Array.from("aZ9.@-+%/_ \"'\\[]م٢ü漢।\u0300\u200C\u200F\uFE0F\u3002\u{1F600}\u{E0041}"),
  );
  const part = fc.string({ unit, minLength: 0, maxLength: 6 });
  const anyUnit = fc
    .string({ unit: "binary", maxLength: 8 })
    .map((text) => text.replaceAll("\0", ""));
  const address = fc.oneof(
    part,
    fc.tuple(part, part, part).map(([a, b, c]) => `${a}@${b}.${c}`),
    fc.tuple(anyUnit, anyUnit).map(([a, b]) => `a${a}@b${b}.c`),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(address, { minLength: 200, maxLength: 200 }), async (texts) => {
      const sound = texts.filter((text) => text.isWellFormed());
      expect(await tableTakes(sound)).toEqual(sound.map(isEmail));
    }),
    { numRuns: 50 },
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
