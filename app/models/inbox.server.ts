import { z } from "zod";
import type { Database } from "#supabase/database.types.ts";
import { dataOf, unavailable } from "./data-of.server.ts";
import { longDate } from "./date.server.ts";
import { momentSchema, type Scope } from "./inbox-forms.server.ts";
import { type Box, inboxLimits } from "./inbox-limits.ts";
import { noteStamp } from "./inbox-work.server.ts";
import type { BoardMessage, Cursor, InboxMessage, InboxPage, WholeMessage } from "./inbox.ts";
import { replyTo } from "./reply.server.ts";
import type { Supabase } from "./supabase.ts";

type Functions = Database["public"]["Functions"];
export type InboxState = Functions["inbox_state"]["Returns"];

const cursorSchema = z
  .string()
  .transform((text) => text.split("_"))
  .pipe(z.tuple([momentSchema, z.uuid()]))
  .transform(([moment, id]): Cursor => ({ created_at: moment, id }));

/** Parses `?before=`. Returns undefined, the newest page, for any other text. */
export function parseCursor(text: string | null): Cursor | undefined {
  return cursorSchema.safeParse(text).data;
}

const before = (cursor: Cursor | undefined) =>
  cursor && { before_moment: cursor.created_at, before_id: cursor.id };

const cursorOf = (moment: string | null, id: string | null): Cursor | undefined =>
  moment && id ? { created_at: moment, id } : undefined;

const signsSchema = z.array(z.string()).nullable();
const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  created_at: z.string(),
  spam_signs: signsSchema,
  phone: z.string().nullable(),
  answered_at: z.string().nullable(),
  archived_at: z.string().nullable(),
  deleted_at: z.string().nullable(),
  note: z.string().nullable(),
});
const rowsSchema: z.ZodType<InboxMessage[]> = z.array(rowSchema);
const wholeRowsSchema: z.ZodType<WholeMessage[]> = z.array(
  rowSchema.extend({ accepted_signs: signsSchema, spam_at: z.string().nullable() }),
);

function pageOf(read: Functions["read_inbox"]["Returns"]) {
  const { page, next_moment: moment, next_id: id, ...state } = read;
  const rows = rowsSchema.parse(page);
  const messages = rows.slice(0, inboxLimits.page).map(boardMessage);
  const hasOlder = rows.length > inboxLimits.page;
  return { state, page: { messages, hasOlder }, next: cursorOf(moment, id) };
}

const boardMessage = (row: InboxMessage): BoardMessage => ({
  ...row,
  date: longDate(row.created_at),
  stamp: noteStamp(row.note),
  reply: replyTo(row),
});

/** A row that was inserted, if it is a new message: not spam, nor imported in another state. */
export function newMessage(row: unknown): BoardMessage | undefined {
  const { data } = rowSchema.safeParse(row);
  const isSorted = data?.answered_at || data?.archived_at || data?.deleted_at;
  const isNew = data && !data.spam_signs && !isSorted;
  return isNew ? boardMessage(data) : undefined;
}

/** Reads the state and one page of a box, newest first, in one statement. @throws {Response} */
export async function readInbox(
  supabase: Supabase,
  { box, cursor }: { box: Box; cursor: Cursor | undefined },
): Promise<{ state: InboxState; page: InboxPage }> {
  const result = await supabase.rpc("read_inbox", { box, ...before(cursor) });
  const { state, page } = pageOf(dataOf(result, "The inbox was not read"));
  return { state, page };
}

export interface Search {
  state: InboxState;
  page: InboxPage;
  /** Where to continue a search that reached the database's scan limit before a full page. */
  stoppedAt?: Cursor | undefined;
}

/** Newest first; undefined if folding leaves no word, as of vowel signs only. @throws {Response} */
export async function searchInbox(
  supabase: Supabase,
  { query, box, cursor }: { query: string; box: Scope; cursor: Cursor | undefined },
): Promise<Search | undefined> {
  const result = await supabase.rpc("read_inbox", { query, box, ...before(cursor) });
  if (result.status === 400) {
    return undefined;
  }
  const { state, page, next } = pageOf(dataOf(result, "The inbox was not searched"));
  return { state, page, ...(!page.hasOlder && { stoppedAt: next }) };
}

/** Reads who owns the inbox, whether the caller may read it, and its counts. @throws {Response} */
export async function readInboxState(supabase: Supabase): Promise<InboxState> {
  return dataOf(await supabase.rpc("inbox_state"), "The inbox's state was not read");
}

/** Yields a box, or a search in it, in pages of up to 1,000 messages. @throws {Response} */
export async function* exportPages(
  supabase: Supabase,
  { box, query }: { box: Scope; query: string | undefined },
): AsyncGenerator<WholeMessage[]> {
  let cursor: Cursor | undefined;
  do {
    const asked = { box, ...(query !== undefined && { query }), ...before(cursor), most: 1000 };
    const result = await supabase.rpc("read_inbox", asked);
    const read = dataOf(result, "The inbox was not exported");
    // A session that ended on the way reads an empty page, as if this were the end.
    if (!read.may_read) {
      throw unavailable("The session of an export has ended");
    }
    yield wholeRowsSchema.parse(read.page);
    cursor = cursorOf(read.next_moment, read.next_id);
  } while (cursor);
}
