// The smallest metadata: one pattern for all numbers of a country. isValid() checks it.
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { z } from "zod";
import { asciiDigits, plainLine, withoutUnseen } from "#app/lib/plain-text.ts";
import { cleanText } from "./clean-text.ts";

const noPhone = "رقم واتساب غير صحيح. اكتبه مع رمز بلدك، مثل \u2066+966501234567\u2069.";

// Same as the table's check (E.164, 6.1: at most 15 digits). Some countries' patterns differ.
const e164 = /^[1-9]\d{6,14}$/;
// Digits with spaces, punctuation, words around them, or in a link of WhatsApp.
const longest = 100;

// A comma or the like stands between two groups of digits; otherwise it ends the number.
const written = /\+?\d(?:(?:[\s()._·\u0640\u2212/\p{Pd}]*|\p{Po}(?=\d\d))\d)+\+?/gu;

const pluses = /[\uFF0B\uFE62\u207A\u208A\u2795]|%2B/gi;
// The greeting in a link of WhatsApp.
const greeting = /[?&]text=\S*/;

/**
 * The E.164 digits, without plus sign, of the one valid number in a text, as dialled in the owner's
 * country. The plus may be behind the number, where text runs from right to left, or missing. The same
 * number may be there twice. Undefined if a plus or digits stand beside it: without the code of its country
 * a number is a stranger's.
 */
export function phoneDigits(text: string, ownerPhone: string): string | undefined {
  const callingCode = parsePhoneNumberFromString(`+${ownerPhone}`)?.countryCallingCode;
  const plain = asciiDigits(withoutUnseen(plainLine(text)))
    .replace(greeting, "")
    .replaceAll(pluses, "+")
    .replaceAll(/\+\s+/g, "+");
  const numbers = new Set<string>();
  const beside = plain.replaceAll(written, (found) => {
    const read = numbersIn(found, callingCode);
    read.forEach((number) => numbers.add(number));
    return read.length > 0 ? "" : found;
  });
  const isWhole = numbers.size === 1 && !/[+\p{N}]/u.test(beside);
  return isWhole ? [...numbers][0] : undefined;
}

/** Reads groups of digits as one number or, if that is not valid, as two. */
function numbersIn(found: string, callingCode: string | undefined): string[] {
  const groups = found.split(/[^\d+]+/);
  const read = (from: number, to?: number) => {
    const digits = groups.slice(from, to).join("");
    const isInternational = digits.includes("+") || digits.startsWith("00");
    const whole = digits.replaceAll("+", "");
    return (
      (isInternational ? undefined : e164Digits(whole, callingCode)) ??
      e164Digits(`+${whole.replace(/^00/, "")}`, callingCode)
    );
  };
  const one = read(0);
  if (one !== undefined) {
    return [one];
  }
  return groups.flatMap((_, index) => {
    const first = read(0, index);
    const second = first && read(index);
    return first && second ? [first, second] : [];
  });
}

function e164Digits(text: string, callingCode: string | undefined): string | undefined {
  const number = parsePhoneNumberFromString(text, {
    ...(callingCode && { defaultCallingCode: callingCode }),
    extract: false,
  });
  const digits = number?.isValid() ? number.number.slice(1) : "";
  return e164.test(digits) ? digits : undefined;
}

/** A number for display: international format with its country's grouping. */
export const shownPhone = (digits: string): string =>
  parsePhoneNumberFromString(`+${digits}`)?.formatInternational() ?? `+${digits}`;

// A number in groups of digits. A second number, which begins with 0, is no group.
const dialled = /(?<!\S)(?:\+|00?) ?(\d+(?: (?!0\d{6})\d+)*)(?!\S)/g;

/**
 * Removes `+`, `00` or `0` before telephone numbers in a search, because they are stored without.
 * Groups of digits stay separate words, which also match a text with blanks, unless there would be
 * more than `mostWords` words.
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
    .pipe(cleanText({ clean: plainLine, max: longest, tooLong: noPhone }), z.string())
    .transform((text, context) => {
      const digits = text === "" ? null : phoneDigits(text, ownerPhone);
      if (digits === undefined) {
        context.addIssue(noPhone);
        return z.NEVER;
      }
      return digits;
    });
}
