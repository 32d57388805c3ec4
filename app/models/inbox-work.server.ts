import { createHash } from "node:crypto";
import { PublicError } from "#app/lib/public-error.ts";
import type { Scope } from "./inbox-forms.server.ts";
import type { EmptiableBox, SortAction } from "./inbox-limits.ts";
import type { Supabase } from "./supabase.ts";

/** Notes that the caller's account has seen the board up to a message's `created_at`. @throws */
export async function noteVisit(supabase: Supabase, until: string): Promise<void> {
  const { error } = await supabase.rpc("note_visit", { until });
  if (error) {
    throw new PublicError("The visit was not noted", error.code);
  }
}

export interface Sorted {
  changed: number;
  change: string | null;
}

/** Undefined if one of them is not in the box, as far as the caller may change it. @throws */
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

/** Does the opposite with those that nobody has moved since. @throws */
export async function undoSort(
  supabase: Supabase,
  wanted: { undone: string; action: SortAction },
): Promise<Sorted> {
  const { data, error } = await supabase.rpc("undo_sort", wanted);
  if (error) {
    throw new PublicError("The messages were not sorted back", error.code);
  }
  return data;
}

interface NoteChange {
  id: string;
  note: string | null;
  /** Of the note that was seen. */
  stamp: string;
  box: Scope;
}

export const noteStamp = (note: string | null): string =>
  note === null ? "" : createHash("md5").update(note).digest("hex");

/**
 * Saves a note unless another was written since: `stored` is the one that stands, `change` null if
 * nothing was written. Undefined if the message is not in the box, as far as the caller may change
 * it. @throws
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

/** Null if the note is another by now. @throws */
export async function undoNote(supabase: Supabase, undone: string): Promise<string | null> {
  const { data, error } = await supabase.rpc("undo_note", { undone });
  if (error) {
    throw new PublicError("The former note was not written", error.code);
  }
  return data;
}

// As public.empty_box in supabase/migrations has it.
const emptyBatch = 1000;

// Within what the calls of a form may take together (session/service-calls.server.ts).
const emptyingMs = 5000;

/** Deletes for good what was in a box at a moment, for some seconds; says if some is left. @throws */
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
