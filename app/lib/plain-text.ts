// Marks that cannot be seen: U+202A-202E and U+2066-2069 make a text show what it does not say.
const bidiControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
const otherControls = /[\p{Cc}--[\t\n]]/gv;

// Something to see: joiners and blanks of every kind alone would be an empty name on the board.
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;

// One more than the standard takes for the most that any script needs (UAX #15, 13).
const piledMarks = /\p{M}{31}/u;

/** Whether a letter carries more marks than any script needs. Linear in the text. */
export const hasPiledMarks = (text: string): boolean => piledMarks.test(text);

/** Cleans text of many lines: LF, no hidden marks, trimmed; empty without a visible character. */
export function plainText(value: string): string {
  const text = value
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .replace(bidiControls, "")
    .replace(otherControls, "")
    .trim();
  return visible.test(text) ? text : "";
}

/** Cleans text of one line: white space becomes one space. */
export function plainLine(value: string): string {
  return plainText(value).replace(/\s+/g, " ");
}

const arabicDigits = /[\u0660-\u0669\u06F0-\u06F9]/g;

export const asciiDigits = (text: string) =>
  text.replace(arabicDigits, (digit) => String(digit.charCodeAt(0) & 0xf));

/** Cleans an e-mail address: Arabic digits become ASCII in a part that is ASCII otherwise. */
export function plainEmail(value: string): string {
  const parts = plainText(value).split("@");
  return parts
    .map((part) => (/^[!-~]*$/.test(asciiDigits(part)) ? asciiDigits(part) : part))
    .join("@");
}

/** Cleans a code of digits: ASCII, without spaces and hyphens. */
export function plainCode(value: string): string {
  return asciiDigits(plainText(value)).replace(/[\s-]/g, "");
}
