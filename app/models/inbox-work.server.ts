import { createHash } from "node:crypto";
import { PublicError } from "#app/lib/public-error.ts";
import type { Scope } from "./inbox-forms.server.ts";
import type { EmptiableBox, SortAction } from "./inbox-limits.ts";
import type { Supabase } from "./supabase.ts";

/** Stores that the account has seen the messages up to a `created_at`. @throws {PublicError} */
export async function recordVisit(supabase: Supabase, until: string): Promise<void> {
  const { error } = await supabase.rpc("record_visit", { until });
  if (error) {
    throw new PublicError("The visit was not recorded", error.code);
  }
}

export interface Sorted {
  changed: number;
  change: string | null;
}

/**
 * Does an action on messages, all or none. Returns undefined if one of them is not in the box or the
 * caller may not change it. @throws {PublicError}
 */
export async function sortMessages(
  supabase: Supabase,
  wanted: { action: SortAction; ids: string[]; box: Scope },
): Promise<Sorted | undefined> {
  const { data, error } = await supabase.rpc("sort_messages", wanted);
  if (error?.code === "PT409") {
    return undefined;
  }
  if (error) {
    throw new PublicError("The messages were not sorted", error.code);
  }
  return data;
}

/** Undoes a change for the messages that were not changed since. @throws {PublicError} */
export async function undoSort(
  supabase: Supabase,
  wanted: { undone: string; action: SortAction },
): Promise<Sorted> {
  const { data, error } = await supabase.rpc("undo_sort", wanted);
  if (error) {
    throw new PublicError("The change was not undone", error.code);
  }
  return data;
}

interface NoteChange {
  id: string;
  note: string | null;
  /** `noteStamp` of the note that the form showed. */
  stamp: string;
  box: Scope;
}

export const noteStamp = (note: string | null): string =>
  note === null ? "" : createHash("md5").update(note).digest("hex");

/**
 * Saves a note unless it was changed since `stamp`. Returns the note in the database (`stored`) and
 * the id of the change, null if nothing was written. Returns undefined if the message is not in the
 * box, or if the caller may not change it. @throws {PublicError}
 */
export async function saveNote(
  supabase: Supabase,
  { id, note, stamp, box }: NoteChange,
): Promise<{ stored: string | null; change: string | null } | undefined> {
  const { data, error } = await supabase.rpc("save_note", {
    message: id,
    seen: stamp,
    box,
    ...(note !== null && { note }),
  });
  if (error) {
    throw new PublicError("The note was not saved", error.code);
  }
  return data.is_here ? data : undefined;
}

/** Returns the id of this change, or null if the note was changed since. @throws {PublicError} */
export async function undoNote(supabase: Supabase, undone: string): Promise<string | null> {
  const { data, error } = await supabase.rpc("undo_note", { undone });
  if (error) {
    throw new PublicError("The note was not restored", error.code);
  }
  return data;
}

// Same as in public.empty_box (supabase/migrations).
const emptyBatch = 1000;

// Below a form's deadline of 10 s (session/service-calls.server.ts).
const emptyingMs = 5000;

/** Deletes messages up to `until` for good, for five seconds at most. @throws {PublicError} */
export async function emptyBox(
  supabase: Supabase,
  { box, until }: { box: EmptiableBox; until: string },
): Promise<{ deleted: number; isEmpty: boolean }> {
  const end = Date.now() + emptyingMs;
  let deleted = 0;
  let batch = emptyBatch;
  while (batch === emptyBatch && Date.now() < end) {
    const { data, error } = await supabase.rpc("empty_box", { box, until });
    if (error) {
      throw new PublicError("The box was not emptied", error.code);
    }
    batch = data;
    deleted += batch;
  }
  return { deleted, isEmpty: batch < emptyBatch };
}
