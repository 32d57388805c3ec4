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

/** Returns the ids of those that changed, which an undo takes. @throws */
export async function sortMessages(
  supabase: Supabase,
  { action, ids }: { action: SortAction; ids: string[] },
): Promise<string[]> {
  const { data, error } = await supabase.rpc("sort_messages", { action, ids });
  if (error) {
    throw new PublicError("The messages were not sorted", error.code);
  }
  return data;
}

/** Whether all are in this box now, as far as the caller may read. @throws */
export async function areInBox(supabase: Supabase, box: Scope, ids: string[]): Promise<boolean> {
  const messages = supabase.from("contact_messages").select("id").in("id", ids);
  const kept = () => messages.is("deleted_at", null);
  const { data, error } = await {
    all: () => kept().is("spam_signs", null).is("archived_at", null),
    waiting: () => kept().is("spam_signs", null).is("archived_at", null).is("answered_at", null),
    archived: () => kept().is("spam_signs", null).not("archived_at", "is", null),
    spam: () => kept().not("spam_signs", "is", null),
    trash: () => messages.not("deleted_at", "is", null),
    any: () => messages,
  }[box]();
  if (error) {
    throw new PublicError("The messages were not found", error.code);
  }
  return data.length === new Set(ids).size;
}

/** False if the caller may not change the message. @throws */
export async function saveNote(
  supabase: Supabase,
  { id, note }: { id: string; note: string | null },
): Promise<boolean> {
  const { data, error } = await supabase
    .from("contact_messages")
    .update({ note })
    .eq("id", id)
    .select("id");
  if (error) {
    throw new PublicError("The note was not saved", error.code);
  }
  return data.length > 0;
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
