import type { Database } from "#supabase/database.types.ts";
import { inboxLimits } from "./inbox-limits.ts";

export type WholeMessage = Database["public"]["Tables"]["contact_messages"]["Row"];

export type InboxMessage = Omit<WholeMessage, "accepted_signs" | "spam_at">;

/** A ready reply of the owner as text, and for links, in which `{name}` stays as it is. */
export interface ReplyTemplate {
  title: string;
  text: string;
  mail: string;
  /** Of `mail` without names, once the browser has encoded it. */
  mailLength: number;
  chat: string;
}

/** The parts of the reply links, in which browsers encode the letters. */
export interface Reply {
  name: string;
  /** The start of the mailto: link. A template and `quote` follow. */
  mail?: string;
  quote: string;
  /** The start of the WhatsApp link. A template follows. */
  chat?: string;
  number?: string;
}

export interface BoardMessage extends InboxMessage {
  date: string;
  /** A hash of the note: a save sends it back, so that it overwrites no newer note. */
  stamp: string;
  reply: Reply;
  /** Only in search results. */
  found?: Found;
}

/** For each text, the offsets of its matches: [start, end, start, end, …]. */
export type Marks = Partial<Record<"name" | "email" | "phone" | "message" | "note", number[]>>;

interface Found {
  marks: Marks;
  /** The text around the first match, unless that is near the start. */
  excerpt?: { text: string; marks: number[] };
}

export interface InboxPage {
  messages: BoardMessage[];
  /** Whether messages older than the last one exist. */
  hasOlder: boolean;
}

/**
 * Merges a loaded page with messages that arrived live since: each message once, newest first. A
 * live message older than the page's last one is left out, because messages between the two may be
 * missing. `arrived`: the number of messages that are not on the page.
 */
export function mergeMessages(
  page: InboxPage,
  live: readonly BoardMessage[],
): InboxPage & { arrived: number } {
  const last = page.messages.at(-1);
  const arrived =
    page.hasOlder && last ? live.filter((message) => newestFirst(message, last) < 0) : live;
  const byId = new Map([...arrived, ...page.messages].map((message) => [message.id, message]));
  const all = Array.from(byId.values()).toSorted(newestFirst);
  return {
    messages: all.slice(0, inboxLimits.board),
    hasOlder: page.hasOlder || all.length > inboxLimits.board,
    arrived: all.length - page.messages.length,
  };
}

/** The last message of a page; the next page begins after it. */
export type Cursor = Pick<InboxMessage, "created_at" | "id">;

/** A cursor as the value of `?before=`. */
export const cursorText = ({ created_at: moment, id }: Cursor): string =>
  encodeURIComponent(`${moment}_${id}`);

// The same order as the database's. Its timestamps sort as text.
export function newestFirst(a: InboxMessage, b: InboxMessage): number {
  return compare(b.created_at, a.created_at) || compare(b.id, a.id);
}

function compare(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}
