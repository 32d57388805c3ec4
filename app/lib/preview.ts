// A greeting with a name up to a comma, or alone. Anything more in the line may be the message itself.
const greetings = [
  String.raw`(?:ال)?سلام عليكم(?: ?و ?رحمة الله(?: تعالى)?(?: ?و ?بركاته)?)?`,
  String.raw`مرحب(?:ا|ًا|اً)`,
  String.raw`[أا]هل(?:ا|ًا|اً)(?: ?و ?سهل(?:ا|ًا|اً))?`,
  "هلا",
  String.raw`تحية طيبة(?: ?و ?بعد)?`,
  "صباح (?:الخير|النور)",
  "مساء (?:الخير|النور)",
  "hi",
  "hello",
  "dear",
].join("|");
const greetingLines = new RegExp(
  String.raw`^(?:(?:${greetings})(?: [^\n،,!]{1,24}(?=[،,!]))?[ \t،,.!:]*\n\s*)+(?=\S)`,
  "iu",
);

// Most people write no comma after a name.
const namedLine = new RegExp(
  String.raw`^(?:${greetings})(?: [^\s،,!؟?]+){1,3}[ \t.:]*\n\s*(?=\S)`,
  "iu",
);

/**
 * The length of the lines at the start of a text that only greet; 0 if there are none. Up to three words
 * are a name if more text follows than the line has: they may be the message.
 */
export function greetingLength(text: string): number {
  const greeted = greetingLines.exec(text)?.[0].length ?? 0;
  const rest = text.slice(greeted);
  const named = namedLine.exec(rest)?.[0].length ?? 0;
  return rest.length > 2 * named ? greeted + named : greeted;
}

const longestRead = 2000;
const address = /@|:\/\/|www\./;
const letters = /\p{L}/gu;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** The direction of most letters of a text without its addresses, or the page's if it has no letters. */
export function directionOf(text: string): "rtl" | "ltr" {
  const words = text.slice(0, longestRead).split(/\s+/);
  const found =
    words
      .filter((word) => !address.test(word))
      .join("")
      .match(letters) ?? [];
  const arabic = found.filter((letter) => rightToLeft.test(letter));
  return arabic.length * 2 < found.length ? "ltr" : "rtl";
}
