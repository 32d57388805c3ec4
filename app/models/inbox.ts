import type { Database } from "#supabase/database.types.ts";

/**
 * A message without the columns that only the database uses, such as the time from which it is kept.
 */
export type WholeMessage = Omit<
  Database["public"]["Tables"]["contact_messages"]["Row"],
  "restored_at" | "last_change" | "state" | "search_text"
>;

export type InboxMessage = Omit<WholeMessage, "accepted_signs" | "spam_at">;

/** A ready reply of the owner, in which `{name}` stands for the sender's name. */
export interface ReplyTemplate {
  title: string;
  text: string;
}

/** When a message that waits is due, by the owner's promise. */
export interface Due {
  /** How many points of its star are lit: 8 to 1, or 0 once it is late. */
  lit: number;
  /** «غدًا قبل ٩:١٥ ص», or once it is late «متأخرة منذ أمس». */
  text: string;
  /** When the next point goes out, as ISO 8601. Undefined once it is late. */
  next?: string;
  /** Whether it is late by more than seven working days. */
  isOld?: true;
}

export interface BoardMessage extends InboxMessage {
  date: string;
  /** The direction of most letters of its text. */
  dir: "rtl" | "ltr";
  /** How many characters at the start of its text are only a greeting, which a row leaves out. */
  greeting: number;
  /** Its telephone number, in groups. */
  number?: string;
  /** The fields of the form that have no other place here. */
  extras?: { label: string; text: string }[];
  /** The words of its states in its row, if it has any. */
  states?: string;
  /** Why it was marked as spam. */
  reasons?: string;
  /** Only while it waits, and if the owner promises a time. */
  due?: Due;
  /** Only in search results. */
  found?: Found;
}

/**
 * «خط الوعد»: where the line stands among the messages that wait, which are in the order in which they are
 * due. The page need not have these messages.
 */
export interface PromiseLine {
  /** Whether a message is late, without the old debts. */
  isLate: boolean;
  text: string;
  /** The newest late one, below the line. */
  below?: Cursor;
  /** The one above it, which is due next. */
  above?: Cursor;
}

/** For each text, the offsets of its matches: [start, end, start, end, …]. */
export type Marks = Partial<Record<"name" | "email" | "phone" | "message" | "note", number[]>>;

interface Found {
  marks: Marks;
  /** The text around the first match, in the message or otherwise in the note. */
  excerpt?: { text: string; marks: number[]; isNote: boolean };
}

export interface InboxPage {
  messages: BoardMessage[];
  /** Whether messages older than the last one exist. */
  hasOlder: boolean;
}

/** The last message of a page; the next page begins after it. */
export type Cursor = Pick<InboxMessage, "created_at" | "id">;

/** A cursor as the value of `?before=`. */
export const cursorText = ({ created_at: moment, id }: Cursor): string => `${moment}_${id}`;
