import { href, useLocation } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { focusOnLoad } from "#app/components/focus-on-load.ts";
import { Failure } from "#app/components/form-parts.tsx";
import { SectionTitle } from "#app/components/section-title.tsx";
import { Blank, fieldsClass, sheetClass } from "#app/components/sheet.tsx";
import type { FormResult } from "#app/lib/form-errors.ts";
import type { MessageField, SheetField } from "#app/models/message-fields.server.ts";
import { Note } from "./note.tsx";

export type MessageResult = FormResult<MessageField>;

/** A field that only programs fill in. Password managers do not know its name. */
export const trapName = "t_extra";

const failureId = "failure";
const corrections = "لم تُرسل رسالتك: صحّح ما كُتب بالأحمر";

interface Props {
  fields: SheetField[];
  result: MessageResult | undefined;
  explains: boolean;
}

/** The form on its sheet, empty or after a refusal. */
export function MessageForm({ fields, result, explains }: Props) {
  // Never the page's own address: if the connection breaks, Chromium would put its error page in the place of
  // the written form, and the way back would lead past it.
  const action = useLocation().search === "?write" ? "?again" : "?write";
  return (
    <form role="none" method="post" action={href("/") + action} className={sheetClass}>
      <SectionTitle id="write">راسلني</SectionTitle>
      {result?.failure && (
        <div id={failureId} className="mt-4">
          <Failure {...focusOnLoad}>{result.failure}</Failure>
        </div>
      )}
      {result && !result.failure && <p className="wrong">{corrections}</p>}
      <div className={fieldsClass}>
        {fields.map((field) => (
          <Blank
            key={field.name}
            field={field}
            text={result?.values?.[field.name]}
            error={result?.errors[field.name]}
          />
        ))}
      </div>
      <div className="sr-only" aria-hidden="true">
        <label htmlFor={trapName}>اترك هذا الحقل فارغًا</label>
        <input id={trapName} name={trapName} tabIndex={-1} autoComplete="off" />
      </div>
      <div className="flex flex-row-reverse flex-wrap items-center gap-x-6 gap-y-3">
        <button type="submit" className={buttonClass("primary", "min-h-12 px-8 max-sm:w-full")}>
          إرسال الرسالة
        </button>
        <div className="grid min-h-12 flex-[1_1_14rem] items-center text-sm *:[grid-area:1/1]">
          <p className="text-muted why:invisible">
            أقرأ رسالتك وحدي، ولا أستعملها إلا للرد عليك بالبريد أو واتساب.{" "}
            <a href={href("/privacy")} className="text-brand underline underline-offset-4">
              الخصوصية
            </a>
          </p>
          {explains && (
            <Note className="text-saffron-text">
              ثلاثة حقول مطلوبة لا أكثر: كل حقل زائد سؤال قد يؤجّل الرسالة.
            </Note>
          )}
        </div>
      </div>
    </form>
  );
}

/** The first line of a page with a refused form, for browsers that do not focus the field by themselves. */
export function Unsent({ result }: { result: MessageResult }) {
  const [wrong] = Object.keys(result.errors);
  return (
    <p className="bg-danger-tint p-3 text-center font-bold text-danger">
      <a href={`#${wrong ?? failureId}`} className="underline underline-offset-4">
        {wrong ? corrections : "لم يكتمل الإرسال: اقرأ السبب"}
      </a>
    </p>
  );
}
