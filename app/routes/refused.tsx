import { data, href } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { CardPage } from "#app/components/card-page.tsx";
import { Field, TextArea } from "#app/components/field.tsx";
import { Failure } from "#app/components/form-parts.tsx";
import { failureText } from "#app/hooks/keep-form.ts";
import { withNext } from "#app/lib/safe-path.ts";
import { messageFields } from "#app/models/message-fields.server.ts";
import { refusedFormContext } from "#app/session/refused-form.server.ts";
import type { Route } from "./+types/refused.ts";

const note = { label: "ملاحظة لك وحدك", isLong: true as const };

/** Rendered by site.ts only; 404 for visitors' requests. */
export function loader({ context }: Route.LoaderArgs) {
  const form = context.get(refusedFormContext);
  if (!form) {
    throw data(null, { status: 404 });
  }
  // A note is for the owner alone, and no other page of the inbox is kept, either.
  const headers = "note" in form.typed ? { "Cache-Control": "private, no-store" } : undefined;
  const known: Record<string, { label: string; isLong?: true }> = { ...messageFields, note };
  const texts = Object.entries(form.typed).map(([name, text]) => {
    const { label = name, isLong = false } = known[name] ?? {};
    return { name, text, label, isLong };
  });
  return data({ ...form, texts }, { status: form.status, headers });
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = () => [
  { title: "تعذّر تنفيذ طلبك" },
  { name: "robots", content: "noindex" },
];

// Statuses that failureText lacks, because forms of an open page do not get them.
const otherTexts: Record<number, string> = {
  405: "لا تقبل هذه الصفحة هذا النوع من الطلبات.",
  415: "أُرسل النموذج بصيغة لا يقرؤها الموقع. أعد فتح الصفحة ثم أعد المحاولة.",
};

export default function Refused({ loaderData }: Route.ComponentProps) {
  const { status, reason, back, typed, texts, id } = loaderData;
  // A note that is sent twice is the same note, but a message would be another one.
  const mayResend = (status === 401 || status >= 500) && "note" in typed;
  const fields = texts.map(({ name, text, label, isLong }) => {
    const field = { label, name, dir: "auto", readOnly: !mayResend, defaultValue: text };
    return isLong ? <TextArea key={name} rows={8} {...field} /> : <Field key={name} {...field} />;
  });
  return (
    <CardPage title="تعذّر تنفيذ طلبك">
      <Failure>{reason ?? failureText(status) ?? otherTexts[status]}</Failure>
      {status >= 500 && (
        <p lang="en" dir="ltr" className="text-muted">
          Unexpected Application Error!
        </p>
      )}
      {status === 401 && (
        <a href={withNext(href("/auth"), back)} target="_blank" className={buttonClass("primary")}>
          تسجيل الدخول في صفحة جديدة
        </a>
      )}
      {texts.length > 0 && <p>ما كتبته محفوظ هنا. انسخه قبل أن تغادر هذه الصفحة.</p>}
      {status === 413 && texts.length > 0 && (
        <p>يظهر هنا أول ما كتبته فقط، وما بعده أطول من أن يُعرض.</p>
      )}
      {mayResend ? (
        <form method="post" action={back} className="grid gap-5">
          <input type="hidden" name="id" value={id} />
          {fields}
          <button type="submit" className={buttonClass("primary")}>
            إعادة المحاولة
          </button>
        </form>
      ) : (
        fields
      )}
      <a href={back} className={buttonClass(status === 401 || mayResend ? "quiet" : "primary")}>
        العودة إلى الموقع
      </a>
    </CardPage>
  );
}
