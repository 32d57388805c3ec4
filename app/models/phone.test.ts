import * as fc from "fast-check";
import { expect, test } from "vitest";
import { phoneDigits, phoneSchema, shownPhone, withStoredNumbers } from "./phone.server.ts";

const saudi = "966500000000";

test.each([
  ["0501234567", "966501234567"],
  ["٠٥٠١٢٣٤٥٦٧", "966501234567"],
  ["۰۵۰ ۱۲۳ ۴۵۶۷", "966501234567"],
  ["٠٠٩٦٦-٥٠-١٢٣٤٥٦٧", "966501234567"],
  ["(050) 123-4567", "966501234567"],
  ["050–123\u22124567", "966501234567"],
  ["050_123·4567", "966501234567"],
  ["\u202A+966501234567\u202C", "966501234567"],
  ["+971 50 123 4567", "971501234567"],
  ["+966 (0)50 123 4567", "966501234567"],
  // As wa.me writes it, whole and in a link.
  ["971501234567", "971501234567"],
  ["201001234567", "201001234567"],
  ["wa.me/966501234567", "966501234567"],
  ["https://api.whatsapp.com/send?phone=966501234567&text=a", "966501234567"],
  ["https://api.whatsapp.com/send?phone=%2B966501234567&text=Salam%20alaikum", "966501234567"],
  ["https://wa.me/966501234567?text=Hello+2", "966501234567"],
  // The plus behind, of full width, or apart.
  ["966501234567+", "966501234567"],
  ["٩٦٦٥٠١٢٣٤٥٦٧+", "966501234567"],
  ["＋９７１５０１２３４５６７", "971501234567"],
  ["+ 971 50 123 4567", "971501234567"],
  ["०५०१२३४५६७", "966501234567"],
  ["٠٥٠ـ١٢٣ـ٤٥٦٧", "966501234567"],
  ["واتساب: 0501234567 بعد العصر", "966501234567"],
  ["050,123,4567", "966501234567"],
  ["٠٥٠،١٢٣،٤٥٦٧", "966501234567"],
  // The same number twice.
  ["0501234567 أو 0501234567", "966501234567"],
  ["0501234567 / 0501234567", "966501234567"],
  ["+966501234567 (050 123 4567)", "966501234567"],
  ["0501234567,0501234567", "966501234567"],
])("%s is %s for an owner in Saudi Arabia", (typed, digits) => {
  expect(phoneDigits(typed, saudi)).toBe(digits);
});

const hidden = Array.from(
  "\u200B\u200C\u200D\u2060\u00AD\uFEFF\u034F\u180E\uFE0E\uFE0F\u{E0100}\u{E0041}\u3164\u115F\uFFA0\u17B4\u2061\u2062\u2063\u2064\u206A\uFFFC",
);

test("an unseen character between digits is none of the number", () => {
  for (const char of hidden) {
    for (const typed of [
      `050${char}1234567`,
      `+966${char}501234567`,
      `+${char}966501234567`,
      Array.from("0501234567").join(char),
    ]) {
      expect([typed, phoneDigits(typed, saudi)]).toEqual([typed, "966501234567"]);
    }
    const abroad = `+971${char}501234567`;
    expect([abroad, phoneDigits(abroad, saudi)]).toEqual([abroad, "971501234567"]);
  }
});

// Without its country's code, this number is one of the owner's country: a stranger's.
const abroad = "971501234567";
const splits = [
  ["+971", "501234567"],
  ["00971", "501234567"],
  ["+9715", "01234567"],
  ["971+", "501234567"],
  ["+", abroad],
  ["00", abroad],
] as const;
const between = {
  brackets: Array.from("()[]{}<>«»‹›（）【】﴾﴿“”", (sign) => ` ${sign} `),
  words:
    "رقم|كود|رمز الدولة|واتساب|ثم|و|أو|مفتاح الإمارات|دبي|جوال|code|ext|tel|wa|UAE|a|o|x|#|n°".split(
      "|",
    ),
  commas: [
    "،",
    "، ",
    " ،",
    "؛ ",
    "؛",
    ", ",
    " , ",
    "٬",
    "٬ ",
    "٫",
    "٫ ",
    "،،",
    " ، ",
    "、",
    "，",
    "; ",
    ";",
    "؟ ",
    "، و",
    "۔ ",
  ],
  signs: Array.from("|¦~=•*^%&@\\\"'°→←↔…—━", (sign) => ` ${sign} `),
};

test.each(Object.entries(between))("a code of a country apart by %s is not lost", (_, signs) => {
  expect(signs.length).toBeGreaterThanOrEqual(20);
  for (const sign of signs) {
    for (const [code, rest] of splits) {
      const typed = `${code}${sign}${rest}`;
      expect([typed, phoneDigits(typed, saudi) ?? abroad]).toEqual([typed, abroad]);
    }
  }
});

test("however a number is cut, it is itself or none", () => {
  const part = fc.constantFrom(...Object.values(between).flat(), ...hidden, " ", "-", "\u20E3");
  const cut = fc.record({ at: fc.nat(15), by: part });
  fc.assert(
    fc.property(
      fc.constantFrom("971501234567", "201001234567", "96550012345", "447911123456"),
      fc.constantFrom("+", "00"),
      fc.array(cut, { minLength: 1, maxLength: 4 }),
      (number, prefix, cuts) => {
        let typed = `${prefix}${number}`;
        for (const { at, by } of cuts) {
          typed = typed.slice(0, at) + by + typed.slice(at);
        }
        expect([undefined, number]).toContain(phoneDigits(typed, saudi));
      },
    ),
    { numRuns: 2000 },
  );
});

test("a number is shown by its groups, or as it is if nobody knows them", () => {
  expect(shownPhone("966501234567")).toBe("+966 50 123 4567");
  expect(shownPhone("9999999")).toBe("+9999999");
});

test("a number without a country is of the owner's", () => {
  expect(phoneDigits("0501234567", "971500000000")).toBe("971501234567");
});

test.each([
  "12",
  "0501234567 أو 0507654321",
  "0501234567 / 0507654321 أو 0501111111",
  // What stands beside a number may belong to it.
  "واتساب: 0501234567 بعد الساعة 5",
  "0501234567 تحويلة 12",
  "5 0501234567 5",
  "رمزي ٩٧١ ورقمي 501234567",
  "⁹⁷¹ 501234567",
  "⁺ 501234567",
  "①⓪ 501234567",
  "1) 0501234567",
  "0501234567 +",
  "0501234567 و 00",
  "0501234567، 0507654321",
  "0501234567؛ +971501234567",
  "0501234567 (+971501234567)",
  "+971501234567 0501234567",
  "00971501234567 0501234567",
  "050 123 4567 055 123 4567",
  "0501234567-0507654321",
  "0501234567\u200B0507654321",
  "0501234567\n0507654321",
  "جوال 0501234567 واتساب 0507654321",
  "0501234567 | 0507654321",
  "0501234567 & 0112345678",
  "٠٥٠١٢٣٤٥٦٧ ٠٥٠٧٦٥٤٣٢١",
  "+20 100 123 4567 و +971 50 123 4567",
  "966501234567 966507654321",
  "01001234567",
  "لا أستعمله",
  "9".repeat(30),
  // As long as numbers may be there, but one digit too many, or of another country.
  "+9665012345678",
  "05012345678",
  // The plus behind it says that it is no national number.
  "512345678+",
  // Valid by the pattern of their country, and refused by the table.
  "+49 1234",
])("%s is no number", (typed) => {
  expect(phoneDigits(typed, saudi)).toBeUndefined();
  expect(phoneSchema(saudi).safeParse(typed).success).toBe(false);
});

test("an empty field is no number and no error", () => {
  expect(phoneSchema(saudi).parse("  ")).toBeNull();
});

test("whatever is typed, the table takes what comes out", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 60 }),
      fc.stringMatching(/^[+0-9٠-٩ ()-]{0,30}$/),
      (any, near) => {
        for (const typed of [any, near]) {
          expect(phoneDigits(typed, saudi) ?? "9665000000").toMatch(/^[1-9]\d{6,14}$/);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  ["0551234567", "551234567"],
  ["00966551234567", "966551234567"],
  ["٠٥٥ ١٢٣ ٤٥٦٧ نورة", "55 123 4567 نورة"],
  ["نورة + 966 55 123 4567", "نورة 966 55 123 4567"],
  ["0551234567 0507654321", "551234567 507654321"],
  // Too many words become one.
  ["نورة +966 5 51 23 45 67", "نورة 966551234567"],
  ["عام 2024 007", "عام 2024 007"],
  ["0.5 +1 a055 123 4567", "0.5 +1 a055 123 4567"],
])("the search %s looks for %s", (typed, query) => {
  expect(withStoredNumbers(typed, 5)).toBe(query);
});
