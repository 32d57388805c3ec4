import { type ReactNode, useEffect, useRef, useState } from "react";
import { href, useLoaderData } from "react-router";
import { TextArea } from "#app/components/field.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import type { BoardMessage } from "#app/models/inbox.ts";
import type { BoardResult, BoardAnswer } from "./board-view.server.ts";
import { boardPath } from "./box-nav.tsx";
import { Marked } from "./message-text.tsx";
import type { OnEdit } from "./use-unsaved-cards.ts";

interface Props {
  message: BoardMessage;
  here: string;
  answer: BoardAnswer | undefined;
  isGone: boolean;
  onEdit: OnEdit;
  /** Buttons of rarer actions. */
  children: ReactNode;
}

const noteId = (id: string) => `note-${id}`;

const areaOf = (id: string) => document.querySelector<HTMLTextAreaElement>(`#${noteId(id)}`);

const isUnsaved = ({ value, dataset }: HTMLTextAreaElement) => value.trim() !== dataset["note"];

interface Seen {
  note: string;
  stamp: string;
  /** The unsaved text, if it differs from the note. */
  text?: string;
}

// Unsaved texts of cards that left the page. In memory only: the tab's end and a sign-out clear them.
const drafts = new Map<string, Seen>();

export const noteLabel = "ملاحظة لك وحدك";

/** The note in the database. */
export function StoredNote({ text, marks }: { text: string; marks?: number[] | undefined }) {
  return (
    <blockquote className="order-first basis-full border-s-2 border-saffron ps-2 text-sm wrap-anywhere whitespace-pre-wrap">
      <span className="sr-only">ملاحظتك: </span>
      <Marked text={text} marks={marks} />
    </blockquote>
  );
}

export function NoteForm({ message, here, answer, isGone, onEdit, children }: Props) {
  const { id, stamp, found } = message;
  const note = message.note ?? "";
  const { result } = useLoaderData<{ result?: BoardResult }>();
  const saved = result?.noted === id ? result.token : undefined;
  const lastSaved = useRef(saved);
  const own = answer?.values?.id === id ? answer : undefined;
  const stored = own?.stored === undefined ? note : own.stored;
  // The note that the text area started from. It follows the message's note until the owner types.
  const [seen, setSeen] = useState<Seen>(() => {
    const draft = drafts.get(id);
    return draft && draft.text?.trim() !== note ? draft : { note, stamp };
  });
  useEffect(() => {
    const area = areaOf(id);
    const isSaved = saved !== undefined && saved !== lastSaved.current;
    lastSaved.current = saved ?? lastSaved.current;
    if (area && seen.stamp !== stamp && (isSaved || !isUnsaved(area))) {
      area.value = note;
      setSeen({ note, stamp });
    }
    onEdit(message, !isSaved && area !== null && (isGone || isUnsaved(area)));
    return () => {
      drafts.delete(id);
      if (area && isUnsaved(area)) {
        drafts.set(id, { ...seen, text: area.value });
      }
    };
  }, [message, isGone, onEdit, id, note, stamp, saved, seen]);
  return (
    <>
      {stored && <StoredNote text={stored} marks={own ? undefined : found?.marks.note} />}
      <details open={isGone || Boolean(own ?? seen.text)} className="more small-buttons">
        <summary aria-describedby={`name-${id}`} className="small">
          المزيد
        </summary>
        <div className="flex flex-wrap gap-2">{children}</div>
        <PostForm
          submit="حفظ الملاحظة"
          action={href("/admin") + boardPath(here).search}
          failure={own?.failure}
          preventScrollReset
          className="my-2 max-w-xl"
        >
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="stamp" value={own?.values?.stamp ?? seen.stamp} />
          {isGone && <input type="hidden" name="anywhere" />}
          <TextArea
            id={noteId(id)}
            name="note"
            label={noteLabel}
            rows={3}
            dir="auto"
            data-note={seen.note}
            // The card of a gone message stays while its text is changed, whatever that is.
            onInput={({ currentTarget: area }) => onEdit(message, isGone || isUnsaved(area))}
            defaultValue={own?.values?.note ?? seen.text ?? seen.note}
            error={own?.errors.note}
          />
        </PostForm>
      </details>
    </>
  );
}
