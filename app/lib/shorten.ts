interface Limits {
  /** In code points. */
  letters: number;
  /** Of the percent-encoded text, where an Arabic letter takes six. */
  bytes: number;
  /** Appended to a cut text, and included in the limits. */
  end?: string;
}

const graphemes = new Intl.Segmenter("ar", { granularity: "grapheme" });
// Reads more than the limit, because a run of white space becomes one space.
const lookAhead = 4;

/**
 * Returns a clean text (lib/plain-text.ts) as one line, cut after the last word that fits. A first word
 * that does not fit is cut between graphemes.
 */
export function shorten(text: string, { letters, bytes, end = "" }: Limits): string {
  const whole = text.trimStart();
  const head = whole.slice(0, letters * lookAhead);
  const line = head
    .replace(/\p{Cs}/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  const isAll = head === whole;
  if (isAll && lettersOf(line) <= letters && encodedLength(line) <= bytes) {
    return line;
  }
  const room = { letters: letters - lettersOf(end), bytes: bytes - encodedLength(end) };
  // The end of `head` may have split the last part.
  const complete = (parts: string[]) => (isAll ? parts : parts.slice(0, -1));
  const words = line.split(/(?= )/);
  const kept =
    longestStart(complete(words), room) ||
    longestStart(
      complete(Array.from(graphemes.segment(words[0] ?? ""), ({ segment }) => segment)),
      room,
    );
  return kept && kept + end;
}

/** The length of a percent-encoded text. */
export const encodedLength = (text: string): number => encodeURIComponent(text).length;

const lettersOf = (text: string) => Array.from(text).length;

function longestStart(parts: string[], { letters, bytes }: Limits): string {
  let [kept, lettersLeft, bytesLeft] = ["", letters, bytes];
  for (const part of parts) {
    lettersLeft -= lettersOf(part);
    bytesLeft -= encodedLength(part);
    if (lettersLeft < 0 || bytesLeft < 0) {
      break;
    }
    kept += part;
  }
  return kept;
}
