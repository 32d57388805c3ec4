import { data, href, redirect, type RouterContextProvider } from "react-router";
import type { FormResult } from "#app/lib/form-errors.ts";
import { noteSchema, sortSchema } from "#app/models/inbox-forms.server.ts";
import { undoOf } from "#app/models/inbox-limits.ts";
import { areInBox, saveNote, sortMessages } from "#app/models/inbox-work.server.ts";
import { readInboxState } from "#app/models/inbox.server.ts";
import { readForm } from "#app/routes/form.server.ts";
import type { Done } from "#app/session/done-token.server.ts";
import { getSupabase, pendingCookieBytes } from "#app/session/supabase.server.ts";
import { doneToken, readDone, readView, type View } from "./board-view.server.ts";

type Context = Readonly<RouterContextProvider>;

export interface BoardResult extends FormResult<"id" | "note"> {
  ids?: string[];
}

// What other headers leave of 3.5 kB (tests/support/header-bytes.ts). 22 characters are an id.
const headerRoom = 2400;
const onlyOwner = "لم يتغير شيء: لا يعمل في الصندوق إلا صاحبه. اجعل الصندوق لك لتعمل فيه.";
const notHere =
  "لم يتغير شيء: في ما اخترته رسالة لم تعد في هذا الصندوق. راجع القائمة وأعد المحاولة.";
const already = "لم يتغير شيء: هي كذلك من قبل.";

/** Does what a form of the board asks for, and leads back to the same list with a notice. */
export async function changeInbox(form: FormData, context: Context, url: URL) {
  const view = readView(url);
  if (form.has("note")) {
    return changeNote(form, context, view);
  }
  const undo = form.get("undo");
  return typeof undo === "string" ? undoLast(undo, context, view) : sort(form, context, view);
}

async function sort(form: FormData, context: Context, view: View) {
  const chosen = form.getAll("ids").map(String);
  const [oneAction, oneId] = String(form.get("one") ?? "").split(":");
  const asked =
    oneId === undefined
      ? { action: form.get("action"), ids: chosen }
      : { action: oneAction, ids: [oneId] };
  const { data: wanted, error } = sortSchema.safeParse(asked);
  if (!wanted) {
    return refuse(400, error.issues[0]?.message ?? "", chosen);
  }
  const supabase = getSupabase(context);
  if (!(await areInBox(supabase, view.box, wanted.ids))) {
    return refuseFor(context, notHere, chosen);
  }
  const ids = await sortMessages(supabase, wanted);
  if (ids.length === 0) {
    return refuseFor(context, already, chosen);
  }
  return leadBack(context, view, { what: wanted.action, count: ids.length, ids });
}

async function undoLast(token: string, context: Context, view: View) {
  const done = readDone(context, token);
  if (!done || done.what === "note" || done.what === "unnote") {
    return refuse(400, "لا يمكن التراجع بعد الآن. غيّر الرسائل من صندوقها.");
  }
  const what = undoOf[done.what];
  const ids = await sortMessages(getSupabase(context), { action: what, ids: done.ids });
  if (ids.length === 0) {
    return refuseFor(context, already);
  }
  return leadBack(context, view, { what, count: ids.length, ids });
}

async function changeNote(fields: FormData, context: Context, view: View) {
  const form = readForm(fields, noteSchema, { keep: ["id", "note"] });
  if (!form.ok) {
    return form.refused;
  }
  const { id, note } = form.data;
  if (!(await saveNote(getSupabase(context), { id, note }))) {
    const { init, data: refused } = await refuseFor(
      context,
      "لم تُحفظ الملاحظة: لم تعد الرسالة هنا.",
    );
    return form.refuse({ ...init, failure: refused.failure });
  }
  return leadBack(context, view, { what: note === null ? "unnote" : "note", count: 1, ids: [id] });
}

/** Why nothing changed: the caller may not, or `reason`. */
async function refuseFor(context: Context, reason: string, ids?: string[]) {
  const { owner } = await readInboxState(getSupabase(context));
  return owner === "me" ? refuse(409, reason, ids) : refuse(403, onlyOwner, ids);
}

const refuse = (status: number, failure: string, ids: string[] = []) =>
  data({ errors: {}, failure, ids } satisfies BoardResult, { status });

function leadBack(context: Context, { here }: View, done: Done) {
  const isTight = pendingCookieBytes(context) + here.length + done.ids.length * 22 > headerRoom;
  const params = new URLSearchParams(here);
  params.set("done", doneToken(context, isTight ? { ...done, ids: [] } : done));
  return redirect(`${href("/admin")}?${params}`);
}
