import { useRef } from "react";
import { Form } from "react-router";
import { buttonClass } from "../../components/button.ts";
import { Field } from "../../components/field.tsx";
import { EmailField, Failure, goesThere } from "../../components/form-parts.tsx";
import { focusWrong, useBusyForm } from "../../components/use-busy-form.ts";
import type { FieldErrors } from "../../lib/form-errors.ts";
import type { NewMessage } from "../../models/message-limits.ts";

type FieldName = keyof NewMessage;

/** Why a message was not taken, and what was typed. */
export interface MessageResult {
  values: Record<FieldName, string>;
  errors: FieldErrors<FieldName>;
  failure?: string;
}

interface Props {
  result: MessageResult | undefined;
  /** Whether there is a column beside the form on wide screens. */
  isBeside: boolean;
}

/** A field that only programs fill in. Password managers do not know its name. */
export const trapName = "t_extra";

export function MessageForm({ result, isBeside }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const busy = useBusyForm(() => focusWrong(form.current));
  const { values, errors, failure } = result ?? {};
  const field = (name: FieldName) => ({
    name,
    required: true,
    defaultValue: values?.[name],
    error: errors?.[name],
  });

  return (
    <>
      <h2 id="write" className="text-2xl font-extrabold">
        راسلني
      </h2>
      <p className="mt-1 text-muted">أخبرني عن مشروعك، وسأرد عليك على بريدك الإلكتروني.</p>
      <Form ref={form} method="post" preventScrollReset className="mt-6 flex grow flex-col">
        <fieldset disabled={busy} className="flex grow flex-col gap-5">
          <div className={`grid gap-5 sm:grid-cols-2 ${isBeside ? "lg:grid-cols-1" : ""}`}>
            <Field label="الاسم" autoComplete="name" dir="auto" {...field("name")} />
            <EmailField {...field("email")} />
          </div>
          <div className="sr-only" aria-hidden="true">
            <label htmlFor={trapName}>اترك هذا الحقل فارغًا</label>
            <input id={trapName} name={trapName} tabIndex={-1} autoComplete="off" />
          </div>
          <Field as="textarea" label="الرسالة" rows={5} dir="auto" {...field("message")} />
          {failure && <Failure {...goesThere}>{failure}</Failure>}
          <button type="submit" className={buttonClass("primary", "min-h-14 text-lg")}>
            {busy ? "جاري الإرسال..." : "إرسال الرسالة"}
          </button>
        </fieldset>
      </Form>
    </>
  );
}
