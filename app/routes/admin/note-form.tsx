import { type FormEvent, useEffect, useRef, useState } from "react";
import { TextArea } from "#app/components/field.tsx";
import { Failure } from "#app/components/form-parts.tsx";
import { focusWrong, useOnEnd } from "#app/hooks/use-busy.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import type { BoardAnswer } from "./board-view.server.ts";
import { drafts } from "./drafts.ts";
import { Marked } from "./marked.tsx";
import type { OnEdit } from "./use-unsaved-rows.ts";

export interface NoteProps {
  /** The URL that the form is posted to. */
  action: string;
  /** Why this message's note was refused. */
  answer: BoardAnswer | undefined;
  /** Whether the message left the list. */
  isGone: boolean;
  isSending: boolean;
  /** The token of the last save of this note. */
  saved: string | undefined;
  onEdit: OnEdit;
}

const noteId = (id: string) => `note-${id}`;

const areaOf = (id: string) => document.querySelector<HTMLTextAreaElement>(`#${noteId(id)}`);

const isUnsaved = ({ value, dataset }: HTMLTextAreaElement) => value.trim() !== dataset["note"];

export const noteLabel = "ملاحظة لك وحدك";

/** The note in the database. */
export function StoredNote({ text, marks }: { text: string; marks?: number[] | undefined }) {
  return (
    <blockquote className="note">
      <span className="sr-only">ملاحظتك: </span>
      <Marked text={text} marks={marks} />
    </blockquote>
  );
}

/** A plain form: the list sends those of all its messages (use-send.ts). */
export function NoteForm({ message, ...props }: NoteProps & { message: BoardMessage }) {
  const { id, stamp } = message;
  const { action, answer, isGone, isSending, saved, onEdit } = props;
  const note = message.note ?? "";
  const form = useRef<HTMLFormElement>(null);
  const lastSaved = useRef(saved);
  // The note that the text area started from. It follows the message's note until the owner types.
  const [seen, setSeen] = useState({ note, stamp });
  const isRestored = useRef(false);
  useEffect(() => {
    const area = areaOf(id);
    const draft = isRestored.current ? undefined : drafts.get(id);
    isRestored.current = true;
    if (area && draft && draft.text.trim() !== area.dataset["note"]) {
      area.value = draft.text;
      setSeen(draft);
      area.closest("article")?.querySelector("details")?.setAttribute("open", "");
      return onEdit(message, true);
    }
    const isSaved = saved !== undefined && saved !== lastSaved.current;
    lastSaved.current = saved ?? lastSaved.current;
    if (area && seen.stamp !== stamp && (isSaved || !isUnsaved(area))) {
      area.value = note;
      setSeen({ note, stamp });
    }
    if (isSaved) {
      drafts.drop(id);
    }
    onEdit(message, !isSaved && area !== null && (isGone || isUnsaved(area)));
  }, [message, isGone, onEdit, id, note, stamp, saved, seen]);
  const edit = ({ currentTarget: area }: FormEvent<HTMLTextAreaElement>) => {
    if (isUnsaved(area)) {
      drafts.keep(id, { ...seen, text: area.value });
    } else {
      drafts.drop(id);
    }
    // The row of a gone message stays while its text is changed, whatever that is.
    onEdit(message, isGone || isUnsaved(area));
  };
  useOnEnd(isSending, () => focusWrong(form.current));
  return (
    <form ref={form} method="post" action={action} className="note-form">
      <fieldset disabled={isSending}>
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="stamp" value={answer?.values?.stamp ?? seen.stamp} />
        {isGone && <input type="hidden" name="anywhere" />}
        <TextArea
          id={noteId(id)}
          name="note"
          label={noteLabel}
          rows={2}
          dir="auto"
          data-note={seen.note}
          onInput={edit}
          defaultValue={answer?.values?.note ?? seen.note}
          error={answer?.errors.note}
        />
        {answer?.failure && <Failure>{answer.failure}</Failure>}
        <button type="submit" className="plain-button">
          حفظ الملاحظة
        </button>
      </fieldset>
    </form>
  );
}
