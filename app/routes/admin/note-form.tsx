import { type ReactNode, useEffect, useRef } from "react";
import { href } from "react-router";
import { Field } from "#app/components/field.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import type { BoardResult } from "./board-actions.server.ts";
import { boardPath } from "./box-nav.tsx";
import { Marked } from "./marked.tsx";

interface Props {
  id: string;
  note: string | null;
  marks: number[] | undefined;
  here: string;
  result: BoardResult | undefined;
  isOpen: boolean;
  /** Buttons for what is done less often. */
  children: ReactNode;
}

const noteId = (id: string) => `note-${id}`;

export function isBeingWritten(id: string): boolean {
  const area = document.getElementById(noteId(id));
  return area instanceof HTMLTextAreaElement && area.value.trim() !== area.dataset.saved;
}

export function NoteForm({ id, note, marks, here, result, isOpen, children }: Props) {
  const own = result?.values?.id === id ? result : undefined;
  const saved = note ?? "";
  const lastSaved = useRef(saved);
  // A field that was typed in once does not follow its default value any more.
  useEffect(() => {
    const area = document.getElementById(noteId(id));
    if (area instanceof HTMLTextAreaElement && area.value.trim() === lastSaved.current) {
      area.value = saved;
    }
    lastSaved.current = saved;
  }, [id, saved]);
  return (
    <>
      {note && (
        <blockquote className="order-first basis-full border-s-2 border-saffron ps-2 text-sm wrap-anywhere whitespace-pre-wrap">
          <span className="sr-only">ملاحظتك: </span>
          <Marked text={note} marks={marks} />
        </blockquote>
      )}
      <details open={isOpen || own !== undefined} className="more small-buttons">
        <summary className="small">المزيد</summary>
        <div className="flex flex-wrap gap-2">{children}</div>
        <PostForm
          submit="حفظ الملاحظة"
          action={href("/admin") + boardPath(here).search}
          failure={own?.failure}
          preventScrollReset
        >
          <input type="hidden" name="id" value={id} />
          <Field
            as="textarea"
            id={noteId(id)}
            name="note"
            label="ملاحظة لك وحدك"
            rows={3}
            dir="auto"
            data-saved={saved}
            defaultValue={own?.values?.note ?? saved}
            error={own?.errors.note}
          />
        </PostForm>
      </details>
    </>
  );
}
