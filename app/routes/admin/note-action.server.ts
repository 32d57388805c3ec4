import { noteSchema } from "#app/models/inbox-forms.server.ts";
import { saveNote } from "#app/models/inbox-work.server.ts";
import { readInboxState } from "#app/models/inbox.server.ts";
import { readForm } from "#app/routes/form.server.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import type { RouterContext } from "#app/session/site-context.server.ts";
import { redirectBack, onlyOwner, type View } from "./board-view.server.ts";

const deleted = "لم تُحفظ الملاحظة: حُذفت الرسالة نهائيًا.";

/** Saves a note over the one before. */
export async function changeNote(fields: FormData, context: RouterContext, view: View) {
  const form = readForm(fields, noteSchema, { keep: ["id", "note"] });
  if (!form.ok) {
    return form.refused;
  }
  const { id, note } = form.data;
  const supabase = getSupabase(context);
  if (!(await saveNote(supabase, form.data))) {
    const { owner } = await readInboxState(supabase);
    return owner === "me"
      ? form.refuse({ status: 409, failure: deleted })
      : form.refuse({ status: 403, failure: onlyOwner });
  }
  const action = note === null ? "unnote" : "note";
  return redirectBack(view, { action, count: 1, id }, id);
}
