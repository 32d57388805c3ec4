import { z } from "zod";
import { directionOf, greetingLength } from "#app/lib/preview.ts";
import type { Absence } from "#app/lib/working-time.ts";
import type { Database } from "#supabase/database.types.ts";
import type { Box } from "./boxes.ts";
import { dataOf, unavailable } from "./data-of.server.ts";
import { longDate } from "./date.server.ts";
import { momentSchema, type Scope } from "./inbox-forms.server.ts";
import { inboxLimits } from "./inbox-limits.ts";
import type {
  BoardMessage,
  Cursor,
  InboxMessage,
  InboxPage,
  PromiseLine,
  WholeMessage,
} from "./inbox.ts";
import { extrasOf, storedFields } from "./message-fields.server.ts";
import { shownPhone } from "./phone.server.ts";
import { ownersPromise } from "./promise.server.ts";
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

const signsSchema = z.array(z.string()).nullable();
const rowSchema = z.object({
  ...storedFields,
  id: z.string(),
  created_at: z.string(),
  spam_signs: signsSchema,
  answered_at: z.string().nullable(),
  archived_at: z.string().nullable(),
  deleted_at: z.string().nullable(),
  expired_at: z.string().nullable(),
  note: z.string().nullable(),
});
const rowsSchema: z.ZodType<InboxMessage[]> = z.array(rowSchema);
const wholeRowsSchema: z.ZodType<WholeMessage[]> = z.array(
  rowSchema.extend({ accepted_signs: signsSchema, spam_at: z.string().nullable() }),
);

const placeSchema = rowSchema.pick({ id: true, created_at: true }).nullable();
const lineSchema = z.object({
  late: z.number(),
  old: z.number(),
  below: placeSchema,
  above: placeSchema,
});

/** What is read together with a page. */
interface ReadOptions {
  /** A message of any box that is to be shown open. */
  open?: string | undefined;
  /** Whether the place of «خط الوعد» is read, for the owner of an inbox with a promise. */
  hasLine?: boolean;
  /** In milliseconds, as is due then. */
  now: number;
  /** The owner's days off. */
  absences: readonly Absence[];
}

function argumentsOf({ open, hasLine, now, absences }: ReadOptions) {
  const bounds = hasLine && ownersPromise(absences)?.boundsAt(now);
  return {
    ...(open !== undefined && { open }),
    ...(bounds && { late_before: bounds.late, old_before: bounds.old }),
  };
}

function readOf(read: Functions["read_inbox"]["Returns"], options: ReadOptions) {
  const { open, now, absences } = options;
  const { page, opened, line, ...state } = read;
  const rows = rowsSchema.parse(page);
  const messages = rows.slice(0, inboxLimits.page).map((row) => boardMessage(row, options));
  const hasOlder = rows.length > inboxLimits.page;
  return {
    state,
    page: { messages, hasOlder },
    ...(open !== undefined && {
      opened: opened === null ? null : boardMessage(rowSchema.parse(opened), options),
    }),
    ...(line !== null && { line: ownersPromise(absences)?.lineOf(lineSchema.parse(line), now) }),
  };
}

function boardMessage(
  row: InboxMessage,
  { now, absences }: Pick<ReadOptions, "now" | "absences">,
): BoardMessage {
  const isWaiting = !row.deleted_at && !row.spam_signs && !row.archived_at && !row.answered_at;
  const extras = extrasOf(row);
  const due = isWaiting ? ownersPromise(absences)?.dueOf(row, now) : undefined;
  return {
    ...row,
    date: longDate(row.created_at),
    dir: directionOf(row.message),
    greeting: greetingLength(row.message),
    ...(row.phone && { number: shownPhone(row.phone) }),
    ...(extras.length > 0 && { extras }),
    ...(due && { due }),
  };
}

/** An inserted row, if it is a new message: neither spam nor imported in another state. */
export function newMessage(row: unknown, absences: readonly Absence[]): BoardMessage | undefined {
  const { data } = rowSchema.safeParse(row);
  const isSorted = data?.answered_at || data?.archived_at || data?.deleted_at;
  const isNew = data && !data.spam_signs && !isSorted;
  return isNew ? boardMessage(data, { now: Date.now(), absences }) : undefined;
}

export interface InboxRead {
  state: InboxState;
  page: InboxPage;
  /** The message that was asked for; null if there is none, or the caller may not read it. */
  opened?: BoardMessage | null;
  line?: PromiseLine | undefined;
}

/** Reads the state and one page of a box, newest first, in one statement. @throws {Response} */
export async function readInbox(
  supabase: Supabase,
  { box, cursor, ...options }: { box: Box; cursor: Cursor | undefined } & ReadOptions,
): Promise<InboxRead> {
  const asked = { box, ...before(cursor), ...argumentsOf(options) };
  const result = await supabase.rpc("read_inbox", asked);
  return readOf(dataOf(result, "The inbox was not read"), options);
}

/** Newest first; undefined if folding leaves no word, as of vowel signs only. @throws {Response} */
export async function searchInbox(
  supabase: Supabase,
  {
    query,
    box,
    cursor,
    ...options
  }: { query: string; box: Scope; cursor: Cursor | undefined } & ReadOptions,
): Promise<InboxRead | undefined> {
  const asked = { query, box, ...before(cursor), ...argumentsOf(options) };
  const result = await supabase.rpc("read_inbox", asked);
  if (result.status === 400) {
    return undefined;
  }
  return readOf(dataOf(result, "The inbox was not searched"), options);
}

/** Reads who owns the inbox, whether the caller may read it, and its counts. @throws {Response} */
export async function readInboxState(supabase: Supabase): Promise<InboxState> {
  return dataOf(await supabase.rpc("inbox_state"), "The inbox's state was not read");
}

// The most that public.read_inbox returns (supabase/migrations).
const exportPage = 1000;

/** Yields a box, or a search in it, in pages of up to 1,000 messages. @throws {Response} */
export async function* exportPages(
  supabase: Supabase,
  { box, query }: { box: Scope; query: string | undefined },
): AsyncGenerator<WholeMessage[]> {
  let cursor: Cursor | undefined;
  do {
    const asked = {
      box,
      ...(query !== undefined && { query }),
      ...before(cursor),
      most: exportPage,
    };
    const result = await supabase.rpc("read_inbox", asked);
    const read = dataOf(result, "The inbox was not exported");
    // A session that ended on the way reads an empty page, as if this were the end.
    if (!read.may_read) {
      throw unavailable("The session of an export has ended", "ended");
    }
    const rows = wholeRowsSchema.parse(read.page);
    yield rows;
    cursor = rows.length === exportPage ? rows.at(-1) : undefined;
  } while (cursor);
}

/** Makes the caller the inbox's owner; false for a wrong code. @throws {Response} */
export async function claimInbox(supabase: Supabase, code: string): Promise<boolean> {
  return dataOf(await supabase.rpc("claim_inbox", { code }), "The inbox was not claimed");
}
