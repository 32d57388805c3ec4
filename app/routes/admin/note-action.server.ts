import { data, type RouterContextProvider } from "react-router";
import { noteSchema } from "#app/models/inbox-forms.server.ts";
import { noteStamp, saveNote } from "#app/models/inbox-work.server.ts";
import { readInboxState } from "#app/models/inbox.server.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import { readForm } from "#app/routes/form.server.ts";
import { noChange } from "#app/session/done-token.server.ts";
import { refusedContext } from "#app/session/site-context.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";
import { type BoardResult, redirectBack, onlyOwner, type View } from "./board-view.server.ts";

type Context = Readonly<RouterContextProvider>;

const moved = "لم تُحفظ الملاحظة: لم تعد الرسالة في هذا الصندوق. احفظها معها حيث صارت.";
const deleted = "لم تُحفظ الملاحظة: حُذفت الرسالة نهائيًا.";

/** Saves a note unless it was changed since the form was shown. */
export async function changeNote(fields: FormData, context: Context, view: View) {
  const form = readForm(fields, noteSchema, { keep: ["id", "note", "stamp"] });
  if (!form.ok) {
    return refuse(context, 400, form.refused.data);
  }
  const { id, note } = form.data;
  const { values } = form.refuse({}).data;
  const refused = (failure: string, more: Partial<BoardResult> = {}) =>
    refuse(context, 409, { values, errors: {}, failure, ...more });
  const box = fields.has("anywhere") ? "any" : view.box;
  const supabase = getSupabase(context);
  const saved = await saveNote(supabase, { ...form.data, box });
  if (!saved) {
    const { owner } = await readInboxState(supabase);
    return owner === "me"
      ? refused(box === "any" ? deleted : moved)
      : refuse(context, 403, { errors: {}, failure: onlyOwner });
  }
  const { stored, change } = saved;
  if (stored !== note) {
    const stamp = noteStamp(stored);
    return refused(conflictText(note, stored), { values: { ...values, stamp }, stored });
  }
  const what = note === null ? "unnote" : "note";
  return redirectBack(context, view, { what, count: 1, ids: [change ?? noChange, id] });
}

function conflictText(note: string | null, stored: string | null): string {
  if (note === null) {
    return "لم تُحذف الملاحظة: تغيّرت من صفحة أخرى، ونصّها أعلاه. احفظ من جديد لتحذفها.";
  }
  return stored === null
    ? "لم تُحفظ ملاحظتك: حُذفت الملاحظة من صفحة أخرى. ما كتبته باقٍ هنا، فاحفظ من جديد لتعيدها."
    : "لم تُحفظ ملاحظتك: كُتبت غيرها من صفحة أخرى، ونصّها أعلاه. ما كتبته باقٍ هنا، فاحفظ من جديد ليحلّ محلها.";
}

/** Shows the note on a page of its own, unless the list has the card (`showRefusedNote`). */
function refuse(context: Context, status: number, result: BoardResult) {
  const { values, errors, failure, stored } = result;
  const reason = failure ?? errors.note ?? errors.id;
  context.set(refusedContext, {
    status,
    ...(reason !== undefined && { reason }),
    ...(values && { again: { id: values.id ?? "", stamp: values.stamp ?? "", anywhere: "" } }),
    ...(stored !== undefined && { stored }),
  });
  return data(result, { status });
}

/** Cancels the page of its own if the list has the message's card, whose field keeps the text. */
export function showRefusedNote(context: Context, messages: readonly BoardMessage[]): void {
  const id = context.get(refusedContext)?.again?.["id"];
  if (messages.some((message) => message.id === id)) {
    context.set(refusedContext, null);
  }
}
