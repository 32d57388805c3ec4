import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import type { OfflineResult } from "#app/hooks/keep-form.ts";
import { focusWrong, useOnEnd } from "#app/hooks/use-busy.ts";
import { useHydrated } from "#app/hooks/use-hydrated.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import type { BoardAnswer } from "./board-view.server.ts";
import { drafts } from "./drafts.ts";
import { fieldClass, outlineClass } from "./looks.ts";
import { useSend } from "./use-send.ts";

interface Props {
  message: BoardMessage;
  /** The URL that the form is posted to. */
  action: string;
  /** Why this note was refused. */
  answer: BoardAnswer | OfflineResult | undefined;
  /** The token of the last save of this note, or of its undo. */
  saved: string | undefined;
}

/** The owner's note on the open message. What is not saved yet is kept for the tab's life. */
export function NoteForm({ message, action, answer, saved }: Props) {
  const { id } = message;
  const fieldId = `note-${id}`;
  const { draft, isChanged, edit } = useDraft(message, { fieldId, answer, saved });
  const stored = answer && "stored" in answer ? answer.stored : undefined;
  const reason = answer?.errors["note"] ?? answer?.failure;
  const form = useRef<HTMLFormElement>(null);
  const sendOnce = useSend();
  const isSending = useNavigation().formData?.get("id") === id;
  useOnEnd(isSending, () => focusWrong(form.current));
  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    sendOnce(event.currentTarget);
  }
  return (
    <form
      ref={form}
      method="post"
      action={action}
      onSubmit={send}
      className="border-t border-line py-4 print:not-has-placeholder-shown:block!"
    >
      <fieldset
        disabled={isSending}
        className="grid items-end gap-x-2 gap-y-1 max-sm:justify-items-start sm:grid-cols-[minmax(0,1fr)_auto]"
      >
        <label htmlFor={fieldId} className="col-span-full text-md font-bold">
          ملاحظة لك وحدك
        </label>
        {stored && (
          <blockquote
            dir="auto"
            className="col-span-full border-s-3 border-line ps-3 text-md wrap-anywhere whitespace-pre-wrap text-muted"
          >
            <span className="sr-only">المحفوظة: </span>
            {stored}
          </blockquote>
        )}
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="stamp" value={answer?.values?.["stamp"] ?? draft.stamp} />
        <textarea
          id={fieldId}
          name="note"
          rows={1}
          // The hint has no direction of its own; Firefox would push it out of the field.
          dir={draft.text === "" ? "rtl" : "auto"}
          placeholder="اكتب ما تريد تذكّره عن هذا الطلب"
          value={draft.text}
          onChange={({ target }) => edit(target.value)}
          {...(reason && {
            "aria-invalid": true,
            "aria-describedby": `${fieldId}-reason`,
            autoFocus: true,
          })}
          className={`${fieldClass} field-sizing-content max-h-64 resize-none not-supports-[field-sizing:content]:min-h-24 border-s-3 border-s-saffron print:max-h-none print:border-0 print:p-0`}
        />
        <button type="submit" className={`${outlineClass} print:hidden`}>
          حفظ الملاحظة
        </button>
        {reason ? (
          <p
            id={`${fieldId}-reason`}
            role="alert"
            className="col-span-full text-sm font-bold text-danger"
          >
            {reason}
          </p>
        ) : (
          <p role="status" className="col-span-full text-sm text-saffron-text">
            {isChanged && "لم تُحفظ بعد"}
          </p>
        )}
      </fieldset>
    </form>
  );
}

/** What a text area holds that the server rendered; undefined on the server, and without one. */
function typedText(id: string): string | undefined {
  if (import.meta.env.SSR) {
    return undefined;
  }
  const area = document.getElementById(id);
  return area instanceof HTMLTextAreaElement ? area.value : undefined;
}

interface Saving extends Pick<Props, "answer" | "saved"> {
  fieldId: string;
}

/** What the field holds, and the note that this started from: a save overwrites no other one. */
function useDraft(message: BoardMessage, { fieldId, answer, saved }: Saving) {
  const { id, stamp } = message;
  const note = message.note ?? "";
  const isHydrated = useHydrated();
  const [{ draft, last, isRestored }, setState] = useState(() => {
    const text = typedText(fieldId) ?? answer?.values?.["note"] ?? note;
    return { draft: { text, note, stamp }, last: saved, isRestored: false };
  });
  const isChanged = draft.text.trim() !== draft.note;
  const isSaved = saved !== undefined && saved !== last;
  const isTaken = draft.stamp !== stamp && (!isChanged || draft.text.trim() === note);
  if (isHydrated && !isRestored) {
    // Not in the first render, which must be the server's.
    const kept = isChanged ? undefined : drafts.get(id);
    setState({ draft: kept ?? draft, last, isRestored: true });
  } else if (isSaved || isTaken) {
    setState({ draft: { text: note, note, stamp }, last: saved, isRestored });
  }
  useEffect(() => {
    if (!isRestored) {
      return;
    }
    if (isChanged) {
      drafts.keep(id, draft);
    } else {
      drafts.drop(id);
    }
  }, [id, draft, isChanged, isRestored]);
  const edit = (text: string) => setState({ draft: { ...draft, text }, last, isRestored });
  return { draft, isChanged, edit };
}
