import { useRef, useState } from "react";
import { useNavigation } from "react-router";
import { sendOnce } from "#app/components/button-form.tsx";
import { SignInLink } from "#app/components/sign-in-link.tsx";
import { type SessionEnd, sessionEndTexts, useUnsaved } from "#app/hooks/held-page.ts";
import { isOffline, type OfflineResult } from "#app/hooks/keep-form.ts";
import { focusWrong, useOnEnd } from "#app/hooks/use-busy.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import type { BoardAnswer } from "./board-view.server.ts";
import { fieldClass, outlineClass } from "./class-names.ts";
import { useSend } from "./use-send.ts";

interface Props {
  message: BoardMessage;
  /** The URL that the form is posted to. */
  action: string;
  /** Why this note was refused. */
  answer: BoardAnswer | OfflineResult | undefined;
  /** The `?done=` of the last save of this note. */
  saved: string | undefined;
  /** Whose note it is, and why the board cannot be read again. */
  account: string;
  end: SessionEnd | undefined;
}

/** The owner's note on the open message. */
export function NoteForm({ message, action, answer, saved, account, end }: Props) {
  const { id } = message;
  const fieldId = `note-${id}`;
  const { text, isChanged, type } = useText(message, { answer, saved });
  useUnsaved(isChanged, account);
  const reason = answer?.errors["note"] ?? answer?.failure;
  const form = useRef<HTMLFormElement>(null);
  const send = useSend();
  const isSending = useNavigation().formData?.get("id") === id;
  useOnEnd(isSending, () => focusWrong(form.current));
  return (
    <form
      ref={form}
      method="post"
      action={action}
      onSubmit={(event) => sendOnce(event, send)}
      className="border-t border-line py-4 print:not-has-placeholder-shown:block!"
    >
      <div className="grid items-end gap-x-2 gap-y-1 max-sm:justify-items-start sm:grid-cols-[minmax(0,1fr)_auto]">
        <label htmlFor={fieldId} className="col-span-full text-md font-bold">
          ملاحظة لك وحدك
        </label>
        <input type="hidden" name="id" value={id} />
        <textarea
          id={fieldId}
          name="note"
          rows={1}
          // The hint has no direction of its own; Firefox would push it out of the field.
          dir={text === "" ? "rtl" : "auto"}
          placeholder="اكتب ما تريد تذكّره عن هذا الطلب"
          value={text}
          onChange={({ target }) => type(target.value)}
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
        {reason && (
          <p
            id={`${fieldId}-reason`}
            role="alert"
            className="col-span-full text-sm font-bold text-danger"
          >
            {reason} {answer && isOffline(answer) && answer.needsSignIn && <SignInLink />}
          </p>
        )}
        <div role="status" className="col-span-full text-sm text-saffron-text">
          {!reason && isChanged && (end === undefined ? "لم تُحفظ بعد" : <Ended end={end} />)}
        </div>
      </div>
    </form>
  );
}

const Ended = ({ end }: { end: SessionEnd }) => (
  <>
    {sessionEndTexts[end]} لم تُحفظ هذه الملاحظة بعد. {end !== "account" && <SignInLink />}
  </>
);

/** The text of the field: the stored note, until another text is typed, and again after that is saved. */
function useText(message: BoardMessage, { answer, saved }: Pick<Props, "answer" | "saved">) {
  const note = message.note ?? "";
  const [field, setField] = useState(() => {
    const text = answer?.values?.["note"] ?? note;
    return { text, note, saved };
  });
  const isChanged = field.text.trim() !== field.note;
  if (field.note !== note || field.saved !== saved) {
    const isSaved = saved !== undefined && field.saved !== saved;
    setField({ text: isChanged && !isSaved ? field.text : note, note, saved });
  }
  const type = (text: string) => setField({ ...field, text });
  return { text: field.text, isChanged, type };
}
