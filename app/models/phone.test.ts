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
  // The plus behind, of full width, or apart.
  ["966501234567+", "966501234567"],
  ["٩٦٦٥٠١٢٣٤٥٦٧+", "966501234567"],
  ["＋９７１５０１２３４５６７", "971501234567"],
  ["+ 971 50 123 4567", "971501234567"],
  ["०५०१२३४५६७", "966501234567"],
  ["٠٥٠ـ١٢٣ـ٤٥٦٧", "966501234567"],
  ["واتساب: 0501234567 بعد الساعة 5", "966501234567"],
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
