import type { Database } from "#supabase/database.types.ts";

export type InboxMessage = Database["public"]["Tables"]["contact_messages"]["Row"];

export interface InboxPage {
  /** Newest first. */
  messages: InboxMessage[];
  /** Whether messages older than the last one exist. */
  hasOlder: boolean;
}

// How many cards a board that stays open keeps; older ones are a link away.
const boardLimit = 100;

/**
 * The board from its two sources: the page that the server read, and what arrived live since.
 * Each message once, newest first. What arrived live but lies before the page's end is left
 * to the page, so that a gap between the two can never be shown as if nothing were missing.
 * `arrived` is how many the page does not have.
 */
export function mergeMessages(
  page: InboxPage,
  live: readonly InboxMessage[],
): InboxPage & { arrived: number } {
  const last = page.messages.at(-1);
  const arrived =
    page.hasOlder && last ? live.filter((message) => newestFirst(message, last) < 0) : live;
  const byId = new Map([...arrived, ...page.messages].map((message) => [message.id, message]));
  const all = Array.from(byId.values()).toSorted(newestFirst);
  return {
    messages: all.slice(0, boardLimit),
    hasOlder: page.hasOlder || all.length > boardLimit,
    arrived: all.length - page.messages.length,
  };
}

/** The place in the inbox after a message, as the link to older ones carries it. */
export function cursorText({ created_at: createdAt, id }: InboxMessage): string {
  return encodeURIComponent(`${createdAt}_${id}`);
}

/** The database's order, (created_at, id) descending; its timestamps sort as text. */
function newestFirst(a: InboxMessage, b: InboxMessage): number {
  return compare(b.created_at, a.created_at) || compare(b.id, a.id);
}

function compare(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}
