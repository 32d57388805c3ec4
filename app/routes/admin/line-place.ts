import { type Cursor, cursorText, type PromiseLine } from "#app/models/inbox.ts";

interface LinePlace {
  /** How many messages of the page stand above the line. */
  index: number;
  /** The message that the line leads to: the first one below it, or with nobody late the one above it. */
  target: Cursor;
  /** Whether the page has this message. */
  isHere: boolean;
}

/**
 * Where the line stands in a page of the list, newest first: before the first message that is late, or else after
 * the last one that waits. On a page without its place it stands at the end that is nearer to it.
 */
export function placeOfLine(
  { isLate, below, above }: PromiseLine,
  messages: readonly Cursor[],
): LinePlace | undefined {
  const edge = below ?? above;
  const target = (isLate ? undefined : above) ?? below;
  if (!edge || !target) {
    return undefined;
  }
  const isAboveLine = (message: Cursor) =>
    isNewer(message, edge) || (!below && message.id === edge.id);
  const end = messages.findIndex((message) => !isAboveLine(message));
  return {
    index: end === -1 ? messages.length : end,
    target,
    isHere: messages.some(({ id }) => id === target.id),
  };
}

// The database writes all its times alike, so they are in the order of their text.
const isNewer = (one: Cursor, other: Cursor) => cursorText(one) > cursorText(other);
