import { href } from "react-router";
import { Field, TextArea } from "#app/components/field.tsx";
import { EmailField } from "#app/components/form-parts.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { SectionTitle } from "#app/components/section-title.tsx";
import type { FormResult } from "#app/lib/form-errors.ts";
import type { MessageField } from "#app/models/message-fields.server.ts";
import { Note } from "./note.tsx";

type MessageResult = FormResult<MessageField>;

/** A field that only programs fill in. Password managers do not know its name. */
export const trapName = "t_extra";

interface Props {
  result: MessageResult | undefined;
  explains: boolean;
}

export function MessageForm({ result, explains }: Props) {
  const field = (name: MessageField) => ({
    name,
    required: true,
    defaultValue: result?.values?.[name],
    error: result?.errors[name],
  });
  return (
    <div className="write border-t border-line bg-sunk px-5 py-8 sm:px-10">
      <SectionTitle id="write">راسلني</SectionTitle>
      <p className="mb-4 text-muted">أخبرني عن مشروعك، وسأرد على بريدك الإلكتروني.</p>
      {explains && (
        <Note className="mb-4 text-saffron-text">
          ثلاثة حقول مطلوبة لا أكثر: كل حقل زائد سؤال قد يؤجّل الرسالة.
        </Note>
      )}
      <PostForm submit="إرسال الرسالة" failure={result?.failure}>
        <Field label="الاسم" autoComplete="name" dir="auto" {...field("name")} />
        <EmailField {...field("email")} />
        <TextArea label="الرسالة" rows={6} dir="auto" {...field("message")} />
        <Field
          label="رقم واتساب (اختياري)"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          dir="ltr"
          {...field("phone")}
          required={false}
        />
        <div className="sr-only" aria-hidden="true">
          <label htmlFor={trapName}>اترك هذا الحقل فارغًا</label>
          <input id={trapName} name={trapName} tabIndex={-1} autoComplete="off" />
        </div>
      </PostForm>
      <p className="mt-3 text-sm text-muted">
        أقرأ رسالتك وحدي، وأستعملها للرد عليك فقط.{" "}
        <a href={href("/privacy")} className="text-brand underline underline-offset-4">
          الخصوصية
        </a>
      </p>
    </div>
  );
}
