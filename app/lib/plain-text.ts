// Arabic keyboards and pasted text bring marks that cannot be seen: they break addresses,
// and the overriding ones (U+202A-202E, U+2066-2069) make a text show what it does not say.
const bidiControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
// Line breaks and tabs are text; every other control character is not.
const otherControls = /[\p{Cc}--[\t\n]]/gv;

// Something to see: joiners and blanks of every kind alone would be an empty name on the board.
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

// What the standard takes for the most that any script needs (UAX #15, 13).
const maxMarks = 30;

/** Whether a letter carries more marks than any script needs. Linear in the text. */
export function hasPiledMarks(text: string): boolean {
  for (const [marks] of text.matchAll(/\p{M}+/gu)) {
    if (marks.length > maxMarks) {
      return true;
    }
  }
  return false;
}

/** Text of many lines: LF line breaks, no hidden marks, no outer space; empty if nothing shows. */
export function plainText(value: string): string {
  const text = value
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .replace(bidiControls, "")
    .replace(otherControls, "")
    .trim();
  return visible.test(text) ? text : "";
}

/** Text of one line: the same, with every run of white space as one space. */
export function plainLine(value: string): string {
  return plainText(value).replace(/\s+/g, " ");
}

const arabicDigits = /[\u0660-\u0669\u06F0-\u06F9]/g;

const asciiDigits = (text: string) =>
  text.replace(arabicDigits, (digit) => String(digit.charCodeAt(0) & 0xf));

/**
 * An e-mail address as people type it on Arabic keyboards: digits become ASCII in a part, before
 * or after the @, that is ASCII otherwise.
 */
export function plainEmail(value: string): string {
  const parts = plainText(value).split("@");
  return parts
    .map((part) => (/^[!-~]*$/.test(asciiDigits(part)) ? asciiDigits(part) : part))
    .join("@");
}

/** A code of digits, as people type and group it. */
export function plainCode(value: string): string {
  return asciiDigits(plainText(value)).replace(/[\s-]/g, "");
}
