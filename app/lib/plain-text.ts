// Invisible direction marks. U+202A-202E and U+2066-2069 can display a text in another order.
const bidiControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
const otherControls = /[\p{Cc}--[\t\n]]/gv;

// A text without such a character, only joiners and blanks, would show as an empty name.
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;

// One more than the most that any script needs (UAX #15, 13).
const piledMarks = /\p{M}{31}/u;

/** Whether a letter has more than 30 combining marks in a row. Linear time. */
export const hasPiledMarks = (text: string): boolean => piledMarks.test(text);

/** Cleans multi-line text: NFC, LF, no hidden marks, trimmed; empty if no character is visible. */
export function plainText(value: string): string {
  const text = value
    .normalize("NFC")
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
