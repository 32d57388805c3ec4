// The smallest metadata: the length and the groups are asked.
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { z } from "zod";
import { plainCode } from "#app/lib/plain-text.ts";
import { cleanText } from "./clean-text.ts";

const noPhone = "رقم واتساب غير صحيح. اكتبه كما تطلبه، أو مع رمز الدولة.";

// As the table's check has it; 15 digits at most (E.164, 6.1). Some countries have possible numbers
// of less or more.
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
