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

/** Cleans multi-line text: NFC, LF, no hidden marks, trimmed; empty if no character is visible. */
export function plainText(value: string): string {
  const text = value
    .replace(pieces, (piece) => piece.normalize("NFC"))
    .replace(/\r\n?/g, "\n")
    .replace(bidiControls, "")
    .replace(otherControls, "")
    .trim();
  return visible.test(text) ? text : "";
}

/** Cleans single-line text: runs of white space become one space. */
export function plainLine(value: string): string {
  return plainText(value).replace(/\s+/g, " ");
}

const arabicDigits = /[\u0660-\u0669\u06F0-\u06F9]/g;

export const asciiDigits = (text: string) =>
  text.replace(arabicDigits, (digit) => String(digit.charCodeAt(0) & 0xf));

/** Cleans an e-mail address. Arabic digits become ASCII in a part that is otherwise ASCII. */
export function plainEmail(value: string): string {
  const parts = plainText(value).split("@");
  return parts
    .map((part) => (/^[!-~]*$/.test(asciiDigits(part)) ? asciiDigits(part) : part))
    .join("@");
}

/** Cleans a numeric code: ASCII digits, without spaces and hyphens. */
export function plainCode(value: string): string {
  return asciiDigits(plainText(value)).replace(/[\s-]/g, "");
}
