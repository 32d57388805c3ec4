import type { Box, EmptiableBox, SortAction, WholeBoxAction } from "./boxes.ts";
import { dataOf } from "./data-of.server.ts";
import type { Scope } from "./inbox-forms.server.ts";
import type { Supabase } from "./supabase.ts";

/** Stores that the account has seen the messages up to a `created_at`. @throws {Response} */
export async function recordVisit(supabase: Supabase, until: string): Promise<void> {
  dataOf(await supabase.rpc("record_visit", { until }), "The visit was not recorded");
}

/** Of a form that is sent twice, the result of the first. */
interface Sorted {
  changed: number;
  /** Null if nothing was changed. */
  change: string | null;
}

/** The message, if it was one. */
interface Undone extends Sorted {
  one: string | null;
}

/**
 * Does an action on messages, all or none. Returns undefined if one of them is not in the box or the
 * caller may not change it. @throws {Response}
 */
export async function sortMessages(
  supabase: Supabase,
  wanted: { action: SortAction; ids: string[]; box: Scope },
): Promise<Sorted | undefined> {
  const result = await supabase.rpc("sort_messages", wanted);
  return result.error?.code === "PT409"
    ? undefined
    : dataOf(result, "The messages were not sorted");
}

/** Does an action on a box as a page showed it: on what came up to `until`. @throws {Response} */
export async function sortBox(
  supabase: Supabase,
  wanted: { action: WholeBoxAction; box: Box; until: string },
): Promise<Sorted> {
  return dataOf(await supabase.rpc("sort_box", wanted), "The box was not sorted");
}

/** Undoes a change for the messages that were not changed since. @throws {Response} */
export async function undoSort(
  supabase: Supabase,
  wanted: { undone: string; action: SortAction },
): Promise<Undone> {
  return dataOf(await supabase.rpc("undo_sort", wanted), "The change was not undone");
}

/** Saves a note, null for none. Returns whether the message is there for the caller. @throws {Response} */
export async function saveNote(
  supabase: Supabase,
  { id, note }: { id: string; note: string | null },
): Promise<boolean> {
  const asked = { message: id, ...(note !== null && { note }) };
  return dataOf(await supabase.rpc("save_note", asked), "The note was not saved");
}

// Same as in public.empty_box (supabase/migrations).
const emptyBatch = 1000;

// Below a form's deadline of 10 s (session/service-calls.server.ts).
const emptyingMs = 5000;

/** Deletes messages up to `until` for good, for five seconds at most. @throws {Response} */
export async function emptyBox(
  supabase: Supabase,
  { box, until }: { box: EmptiableBox; until: string },
): Promise<{ deleted: number; isEmpty: boolean }> {
  const end = Date.now() + emptyingMs;
  let deleted = 0;
  let batch = emptyBatch;
  while (batch === emptyBatch && Date.now() < end) {
    batch = dataOf(await supabase.rpc("empty_box", { box, until }), "The box was not emptied");
    deleted += batch;
  }
  return { deleted, isEmpty: batch < emptyBatch };
}
