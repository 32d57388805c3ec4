import { plainLine } from "./plain-text.ts";

interface Room {
  /** Characters. */
  letters: number;
  /** As encoded in a URL, where an Arabic letter has six. */
  bytes: number;
  /** Put after what was cut, and counted. */
  end?: string;
}

const graphemes = new Intl.Segmenter("ar", { granularity: "grapheme" });
// Of what is looked at, cleaning may remove the most.
const lookAhead = 4;

/**
 * A text as one line without hidden marks, cut after its last word that has room. A first word that
 * is too long by itself is cut between letters as they are read, with their marks.
 */
export function shorten(text: string, { letters, bytes, end = "" }: Room): string {
  const whole = text.trimStart();
  const head = whole.slice(0, letters * lookAhead);
  const line = plainLine(head.replace(/\p{Cs}/gu, ""));
  const isAll = head === whole;
  if (isAll && lettersOf(line) <= letters && bytesOf(line) <= bytes) {
    return line;
  }
  const room = { letters: letters - lettersOf(end), bytes: bytes - bytesOf(end) };
  // The last part may have lost its end to the look ahead.
  const known = (parts: string[]) => (isAll ? parts : parts.slice(0, -1));
  const words = line.split(/(?= )/);
  const kept =
    longestStart(known(words), room) ||
    longestStart(
      known(Array.from(graphemes.segment(words[0] ?? ""), ({ segment }) => segment)),
      room,
    );
  return kept && kept + end;
}

const lettersOf = (text: string) => Array.from(text).length;
const bytesOf = (text: string) => encodeURIComponent(text).length;

function longestStart(parts: string[], { letters, bytes }: Room): string {
  let [kept, lettersLeft, bytesLeft] = ["", letters, bytes];
  for (const part of parts) {
    lettersLeft -= lettersOf(part);
    bytesLeft -= bytesOf(part);
    if (lettersLeft < 0 || bytesLeft < 0) {
      break;
    }
    kept += part;
  }
  return kept;
}
