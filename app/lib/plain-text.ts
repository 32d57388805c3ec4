// Invisible direction marks. U+202A-202E and U+2066-2069 can display a text in another order.
const bidiControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
const otherControls = /(?![\t\n])\p{Cc}/gu;

// Blanks, controls, marks, private and ignorable characters: alone, they would show as an empty name.
// The list is that of private.is_visible (supabase/migrations).
const visible = new RegExp(
  String.raw`[^\0- \u007F-\u00A0\u00AD\u0300-\u036F\u0600-\u0605\u0610-\u061C\u064B-\u065F\u0670\u06D6-\u06DD\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u070F\u08D3-\u08FF\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u20D0-\u20FF\u2800\u3000\u3164\uD800-\uF8FF\uFE00-\uFE0F\uFE20-\uFE2F\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{10FFFF}]`,
  "u",
);

// A hundred characters and the marks of the last one: sorting the marks of one letter takes quadratic
// time (20,000: 0.2 s).
const pieces = /.{1,100}\p{M}{0,30}/gsu;

/** A text in NFC: keyboards compose the same letter in two ways. */
export const composed = (text: string) => text.replace(pieces, (piece) => piece.normalize("NFC"));

/** Cleans multi-line text: NFC, LF, no hidden marks, trimmed; empty if no character is visible. */
export function plainText(value: string): string {
  const shown = value
    .replace(/\r\n?/g, "\n")
    .replace(bidiControls, "")
    .replace(otherControls, "")
    .trim();
  // This comes last, because a hidden mark between two marks of a letter keeps them apart.
  const text = composed(shown);
  return visible.test(text) ? text : "";
}

/** Cleans single-line text: runs of white space become one space. */
export function plainLine(value: string): string {
  return plainText(value).replace(/\s+/g, " ");
}

const digitsOfAnyScript = /\p{Nd}/gu;

/** Digits of any script as ASCII ones: in Unicode, the ten of a script follow each other. */
export const asciiDigits = (text: string) =>
  text.replace(digitsOfAnyScript, (digit) => {
    let value = 0;
    while (/\p{Nd}/u.test(String.fromCodePoint((digit.codePointAt(0) ?? 0) - value - 1))) {
      value += 1;
    }
    return String(value % 10);
  });

/** Full-width ASCII, and the dot of Chinese and Japanese, as ASCII. */
const asciiWidth = (text: string) =>
  text
    .replace(/[\uFF01-\uFF5E]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\u3002\uFF61]/g, ".");

const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u00A0\uFFFC]/gu;

/** A text without the invisible characters that come along when an address or a number is copied. */
export const withoutUnseen = (text: string) => text.replace(unseen, "");

/**
 * Cleans an e-mail address: removes invisible characters, `mailto:` or a label before it, brackets or quotes
 * around it, and a dot or a comma of any script at its end. A word before it stays, because it may be half of
 * the address. Digits become ASCII in a part that is otherwise ASCII.
 */
export function plainEmail(value: string): string {
  const text = asciiWidth(withoutUnseen(plainText(value)))
    .trim()
    .replace(/^[^<>]*<([^<>]*)>$/, "$1")
    .replace(/^[^@:]*:[\s/]*/, "")
    .replace(/^([^@]*@[^?]*)\?.*$/s, "$1")
    .replace(/^[\p{Ps}\p{Pi}"'<]+/u, "")
    .replace(/[\p{Po}\p{Pe}\p{Pf}>\u0640\s]+$/u, "");
  return text
    .split("@")
    .map((part) => (/^[!-~]*$/.test(asciiDigits(part)) ? asciiDigits(part) : part))
    .join("@");
}

/** Cleans a numeric code: ASCII digits, without spaces and hyphens. */
export function plainCode(value: string): string {
  return asciiDigits(plainText(value)).replace(/[\s-]/g, "");
}
