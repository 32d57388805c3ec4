import { href } from "react-router";
import { Field, TextArea } from "#app/components/field.tsx";
import { EmailField } from "#app/components/form-parts.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { isOffline } from "#app/hooks/offline-form.ts";
import type { FormResult } from "#app/lib/form-errors.ts";
import type { NewMessage } from "#app/models/message.ts";

type FieldName = keyof NewMessage | "phone";

type MessageResult = FormResult<FieldName>;

/** A field that only programs fill in. Password managers do not know its name. */
export const trapName = "t_extra";

export function MessageForm({ result }: { result: MessageResult | undefined }) {
  const field = (name: FieldName) => ({
    name,
    required: name !== "phone",
    defaultValue: result?.values?.[name],
    error: result?.errors[name],
  });
  return (
    <>
      <h2 id="write" className="text-2xl font-bold">
        راسلني
      </h2>
      <p className="mt-1 text-muted">أخبرني عن مشروعك، وسأرد عليك على بريدك الإلكتروني.</p>
      <PostForm
        submit="إرسال الرسالة"
        busyText="جاري الإرسال..."
        failure={isOffline(result) ? `لم تُرسل رسالتك. ${result.failure}` : result?.failure}
        preventScrollReset
        className="mt-6 flex grow flex-col"
      >
        <div className="grid gap-5 sm:grid-cols-2 sm:*:last:col-span-full">
          <Field label="الاسم" autoComplete="name" dir="auto" {...field("name")} />
          <EmailField {...field("email")} />
          <Field
            label="رقم واتساب (اختياري)"
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            dir="ltr"
            {...field("phone")}
          />
        </div>
        <div className="sr-only" aria-hidden="true">
          <label htmlFor={trapName}>اترك هذا الحقل فارغًا</label>
          <input id={trapName} name={trapName} tabIndex={-1} autoComplete="off" />
        </div>
        <TextArea label="الرسالة" rows={5} dir="auto" {...field("message")} />
      </PostForm>
      <p className="mt-4 text-sm text-muted">
        أقرأ رسالتك وحدي، وأستعملها للرد عليك فقط.{" "}
        <a href={href("/privacy")} className="text-brand underline">
          الخصوصية
        </a>
      </p>
    </>
  );
}
