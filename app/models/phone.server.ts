// The smallest metadata: whether a number can be one, by its length, is all that is asked.
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { z } from "zod";
import { plainCode } from "#app/lib/plain-text.ts";
import { cleanText } from "./clean-text.ts";

const noPhone = "رقم واتساب غير صحيح. اكتبه كما تطلبه، أو مع رمز الدولة.";

// 15 digits at most (E.164, 6.1), with what people write between them.
const longest = 40;

/**
 * A telephone number as people type it: Arabic digits, blanks, `+`, `00`, or as it is dialled in the
 * owner's country.
 * @param ownerPhone digits of E.164, such as `966500000000`
 * @returns digits of E.164 without the plus sign; undefined if it can be no number
 */
export function phoneDigits(text: string, ownerPhone: string): string | undefined {
  const callingCode = parsePhoneNumberFromString(`+${ownerPhone}`)?.countryCallingCode;
  const number = parsePhoneNumberFromString(plainCode(text).replace(/^00/, "+"), {
    ...(callingCode && { defaultCallingCode: callingCode }),
    extract: false,
  });
  return number?.isPossible() && !number.ext ? number.number.slice(1) : undefined;
}

/** The optional field for a number: digits of E.164, or null if it is empty. */
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
