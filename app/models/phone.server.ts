// The smallest metadata: one pattern for all numbers of a country, which isValid() asks.
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { z } from "zod";
import { asciiDigits, plainCode } from "#app/lib/plain-text.ts";
import { cleanText } from "./clean-text.ts";

const noPhone = "رقم واتساب غير صحيح. اكتبه كما تطلبه، أو مع رمز الدولة.";

// As the table's check has it; 15 digits at most (E.164, 6.1). The patterns of some countries take
// less or more.
const e164 = /^[1-9]\d{6,14}$/;
// With what people write between them.
const longest = 40;

/** Digits of E.164 without the plus sign, of a number as it is dialled from the owner's country. */
export function phoneDigits(text: string, ownerPhone: string): string | undefined {
  const callingCode = parsePhoneNumberFromString(`+${ownerPhone}`)?.countryCallingCode;
  const number = parsePhoneNumberFromString(plainCode(text).replace(/^00/, "+"), {
    ...(callingCode && { defaultCallingCode: callingCode }),
    extract: false,
  });
  const digits = number?.isValid() && !number.ext ? number.number.slice(1) : "";
  return e164.test(digits) ? digits : undefined;
}

/** As the number's own country writes it, after a plus sign. */
export const shownPhone = (digits: string): string =>
  parsePhoneNumberFromString(`+${digits}`)?.formatInternational() ?? `+${digits}`;

// In groups, of which a second number is none.
const dialled = /(?<!\S)(?:\+|00?) ?(\d+(?: (?!0\d{6})\d+)*)(?!\S)/g;

/**
 * A search with its telephone numbers as they are stored: without the `+`, `00` or `0` before them.
 * Their groups stay words, which are also found in a text with blanks, unless there are too many.
 */
export function withStoredNumbers(query: string, mostWords: number): string {
  const stored = (between: string) =>
    asciiDigits(query).replace(dialled, (typed, digits: string) =>
      digits.replaceAll(" ", "").length >= 6 ? digits.replaceAll(" ", between) : typed,
    );
  const inGroups = stored(" ");
  return inGroups.split(" ").length <= mostWords ? inGroups : stored("");
}

export function phoneSchema(ownerPhone: string) {
  return z
    .pipe(cleanText({ clean: plainCode, max: longest, tooLong: noPhone }), z.string())
    .transform((text, context) => {
      const digits = text === "" ? null : phoneDigits(text, ownerPhone);
      if (digits === undefined) {
        context.addIssue(noPhone);
        return z.NEVER;
      }
      return digits;
    });
}
