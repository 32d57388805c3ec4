import { data } from "react-router";
import { z } from "zod";
import { undoOf } from "#app/models/boxes.ts";
import { noteSchema, sortSchema, wholeBoxSchema } from "#app/models/inbox-forms.server.ts";
import { saveNote, sortBox, sortMessages, undoSort } from "#app/models/inbox-work.server.ts";
import { readInboxState } from "#app/models/inbox.server.ts";
import { readForm } from "#app/routes/form.server.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import type { RouterContext } from "#app/session/site-context.server.ts";
import {
  type BoardAnswer,
  redirectBack,
  onlyOwner,
  readView,
  type View,
} from "./board-view.server.ts";
import { isOfNote, readDone } from "./done.ts";

const idSchema = z.uuid();

const notHere = "في ما حدّدته رسالة لم تعد في هذا الصندوق. راجع القائمة.";
const already = "هي كذلك من قبل.";
const tooLate = "لا يمكن التراجع بعد الآن. غيّر الرسائل من صندوقها.";
const noteLost = "لم تُحفظ الملاحظة: حُذفت الرسالة نهائيًا.";
const changedSince = "لا يمكن التراجع عن هذا: جاء بعده تغيير آخر.";

/** The action of the board's forms. Redirects to the same list with the result. */
export async function changeInbox(form: FormData, context: RouterContext, url: URL) {
  const view = readView(url);
  if (form.has("note")) {
    return changeNote(form, context, view);
  }
  const undo = form.get("undo");
  return undo === null ? sort(form, context, view) : undoChange(undo, context, view);
}

/** Saves a note over the one before. */
async function changeNote(fields: FormData, context: RouterContext, view: View) {
  const form = readForm(fields, noteSchema, { keep: ["id", "note"] });
  if (!form.ok) {
    return form.refused;
  }
  const { id, note } = form.data;
  const supabase = getSupabase(context);
  if (!(await saveNote(supabase, form.data))) {
    const { owner } = await readInboxState(supabase);
    return owner === "me"
      ? form.refuse({ status: 409, failure: noteLost })
      : form.refuse({ status: 403, failure: onlyOwner });
  }
  const action = note === null ? "unnote" : "note";
  return redirectBack(view, { action, count: 1, id }, id);
}

async function sort(form: FormData, context: RouterContext, view: View) {
  const one = form.get("one");
  if (one === null && form.has("until")) {
    return sortWhole(form, context, view);
  }
  const chosen = form.getAll("ids").map(String);
  const ids = one === null ? chosen : [one];
  // The open message may be of another box, which a mail's link does not name.
  const box = one === null ? view.box : "any";
  const { data: wanted, error } = sortSchema.safeParse({ action: form.get("action"), ids });
  if (!wanted) {
    return refuse(400, error.issues[0]?.message ?? "", chosen);
  }
  const { action } = wanted;
  const sorted = await sortMessages(getSupabase(context), { ...wanted, box });
  if (!sorted) {
    return refuseFor(context, notHere, chosen);
  }
  const { changed, change } = sorted;
  if (change === null) {
    return refuseFor(context, already, chosen);
  }
  const next = form.get(action === "answer" ? "nextWaiting" : "next");
  const open = one === null ? view.open : idSchema.safeParse(next).data;
  return redirectBack({ ...view, open }, { action, count: changed, id: change });
}

async function sortWhole(form: FormData, context: RouterContext, view: View) {
  const { data: wanted, error } = wholeBoxSchema.safeParse({
    action: form.get("action"),
    box: view.search ? undefined : view.box,
    until: form.get("until"),
  });
  if (!wanted) {
    return refuse(400, error.issues[0]?.message ?? "");
  }
  const { changed, change } = await sortBox(getSupabase(context), wanted);
  return change === null
    ? refuseFor(context, already)
    : redirectBack(view, { action: wanted.action, count: changed, id: change });
}

async function undoChange(undo: FormDataEntryValue, context: RouterContext, view: View) {
  const done = readDone(undo);
  if (!done || isOfNote(done.action)) {
    return refuseFor(context, tooLate);
  }
  const action = undoOf[done.action];
  const supabase = getSupabase(context);
  const { changed, change, one } = await undoSort(supabase, { undone: done.id, action });
  return change === null
    ? refuseFor(context, changedSince)
    : redirectBack(view, { action, count: changed, id: change }, one ?? view.open);
}

/** Refuses with `reason`, or because the caller does not own the inbox. */
async function refuseFor(context: RouterContext, reason: string, ids?: string[]) {
  const { owner } = await readInboxState(getSupabase(context));
  return owner === "me" ? refuse(409, reason, ids) : refuse(403, onlyOwner, ids);
}

const refuse = (status: number, failure: string, ids: string[] = []) =>
  data({ errors: {}, failure, ids } satisfies BoardAnswer, { status });
