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

/** A field that only programs fill; no name that a password manager knows. */
export const trapName = "t_extra";

export function MessageForm({ result }: { result: MessageResult | undefined }) {
  const form = useRef<HTMLFormElement>(null);
  // What is disabled while the message is under way loses the focus.
  const sentFrom = useRef<HTMLElement>(null);
  const busy = useBusyForm(() => {
    if (result) focusWrong(form.current);
    else {
      form.current?.reset();
      if (document.activeElement === document.body) sentFrom.current?.focus();
    }
  });
  const { values, errors, failure } = result ?? {};
  const field = (name: FieldName) => ({
    name,
    required: true,
    defaultValue: values?.[name],
    error: errors?.[name],
  });

  return (
    <section
      aria-labelledby="write"
      className="rounded-3xl border border-line bg-surface p-5 shadow-sm sm:p-8 lg:sticky lg:top-10"
    >
      <h2 id="write" className="text-2xl font-extrabold">
        راسلني
      </h2>
      <p className="mt-1 text-muted">أخبرني عن مشروعك، وسأرد عليك على بريدك الإلكتروني.</p>
      <Form
        ref={form}
        method="post"
        onSubmit={() => (sentFrom.current = document.activeElement as HTMLElement | null)}
        className="mt-6"
      >
        <fieldset disabled={busy} className="grid gap-5">
          <Field label="الاسم" autoComplete="name" dir="auto" {...field("name")} />
          <EmailField {...field("email")} />
          <div className="sr-only" aria-hidden="true">
            <label htmlFor={trapName}>اترك هذا الحقل فارغًا</label>
            <input id={trapName} name={trapName} tabIndex={-1} autoComplete="off" />
          </div>
          <Field as="textarea" label="الرسالة" rows={6} dir="auto" {...field("message")} />
          {failure && <Failure {...goesThere}>{failure}</Failure>}
          <button type="submit" className={buttonClass("primary", "min-h-14 text-lg")}>
            {busy ? "جاري الإرسال..." : "إرسال الرسالة"}
          </button>
        </fieldset>
      </Form>
    </section>
  );
}
