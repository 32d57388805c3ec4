import { data } from "react-router";
import { noteSchema } from "#app/models/inbox-forms.server.ts";
import { noteStamp, saveNote } from "#app/models/inbox-work.server.ts";
import { readInboxState } from "#app/models/inbox.server.ts";
import { readForm } from "#app/routes/form.server.ts";
import type { RouterContext } from "#app/session/site-context.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";
import { type BoardAnswer, redirectBack, onlyOwner, type View } from "./board-view.server.ts";
import { noChange } from "./done-token.server.ts";

const deleted = "لم تُحفظ الملاحظة: حُذفت الرسالة نهائيًا.";

/** Saves a note unless it was changed since the form was shown. */
export async function changeNote(fields: FormData, context: RouterContext, view: View) {
  const form = readForm(fields, noteSchema, { keep: ["id", "note", "stamp"] });
  if (!form.ok) {
    return form.refused;
  }
  const { id, note } = form.data;
  const supabase = getSupabase(context);
  // The open message may be of another box.
  const saved = await saveNote(supabase, { ...form.data, box: "any" });
  if (!saved) {
    const { owner } = await readInboxState(supabase);
    return owner === "me"
      ? form.refuse({ status: 409, failure: deleted })
      : form.refuse({ status: 403, failure: onlyOwner });
  }
  const { stored, change } = saved;
  if (stored !== note) {
    const { data: again } = form.refuse({ failure: conflictText(note, stored) });
    const values = { ...again.values, stamp: noteStamp(stored) };
    return data<BoardAnswer>({ ...again, values, stored }, { status: 409 });
  }
  const what = note === null ? "unnote" : "note";
  return redirectBack(context, view, { what, count: 1, ids: [change ?? noChange, id] }, id);
}

function conflictText(note: string | null, stored: string | null): string {
  if (note === null) {
    return "لم تُحذف الملاحظة: تغيّرت من صفحة أخرى، ونصّها أعلاه. احفظ من جديد لتحذفها.";
  }
  return stored === null
    ? "لم تُحفظ ملاحظتك: حُذفت الملاحظة من صفحة أخرى. ما كتبته باقٍ هنا، فاحفظ من جديد لتعيدها."
    : "لم تُحفظ ملاحظتك: كُتبت غيرها من صفحة أخرى، ونصّها أعلاه. ما كتبته باقٍ هنا، فاحفظ من جديد ليحلّ محلها.";
}
