import type { Database } from "#supabase/database.types.ts";
import type { SortAction } from "./inbox-limits.ts";

export type WholeMessage = Database["public"]["Tables"]["contact_messages"]["Row"];

export type InboxMessage = Omit<WholeMessage, "accepted_signs">;

/** A ready reply of the owner: encoded for a link, but for `{name}`. */
export interface ReplyTemplate {
  title: string;
  mail: string;
  chat: string;
}

/** What the links that answer a message are made of, encoded. */
export interface Reply {
  name: string;
  /** The link by mail, up to its text. A template stands between it and the quote. */
  mail?: string;
  quote: string;
  /** The link by WhatsApp, up to a template. */
  chat?: string;
  number?: string;
}

export type MessageAction = [action: SortAction, label: string];

export interface BoardMessage extends InboxMessage {
  date: string;
  /** Of its note; a save sends back what it has seen. */
  stamp: string;
  /** What can be done with it, the most frequent first. */
  actions: MessageAction[];
  badges: string[];
  signs: string | null;
  reply: Reply;
  /** Of a result of a search. */
  found?: Found;
}

/** Where matches begin and end in turn, in each of the texts. */
export type Marks = Partial<Record<"name" | "email" | "phone" | "message" | "note", number[]>>;

export interface Found {
  marks: Marks;
  /** What is around the first match, if that is not among the first words. */
  excerpt?: { text: string; marks: number[] };
}

export interface InboxPage {
  messages: BoardMessage[];
  /** Whether messages older than the last one exist. */
  hasOlder: boolean;
}

// Of an open board. Older messages are on the next page.
const boardLimit = 100;

/**
 * Merges the page that the server read with what arrived live since: each message once, newest
 * first. A live message older than the page's last is left out, because others between the two may
 * be missing. `arrived` counts those that the page does not have.
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
    messages: all.slice(0, boardLimit),
    hasOlder: page.hasOlder || all.length > boardLimit,
    arrived: all.length - page.messages.length,
  };
}

/** Where a page ends: its last message. */
export type Cursor = Pick<InboxMessage, "created_at" | "id">;

/** For the link to older ones. */
export const cursorText = ({ created_at: moment, id }: Cursor): string =>
  encodeURIComponent(`${moment}_${id}`);

// The database's order; its timestamps sort as text.
export function newestFirst(a: InboxMessage, b: InboxMessage): number {
  return compare(b.created_at, a.created_at) || compare(b.id, a.id);
}

function compare(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}
