import { data, href } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { CardPage } from "#app/components/card-page.tsx";
import { TextArea } from "#app/components/field.tsx";
import { Failure } from "#app/components/form-parts.tsx";
import { Blank, fieldsClass, SheetPage } from "#app/components/sheet.tsx";
import { failureText } from "#app/hooks/keep-form.ts";
import { withNext } from "#app/lib/safe-path.ts";
import { sheetFields, shownTyped } from "#app/models/message-fields.server.ts";
import { refusedFormContext } from "#app/session/refused-form.server.ts";
import type { Route } from "./+types/refused.ts";
import { dayFields } from "./account/absences-section.tsx";

/** Rendered by site.ts only; 404 for visitors' requests. */
export function loader({ context }: Route.LoaderArgs) {
  const form = context.get(refusedFormContext);
  if (!form) {
    throw data(null, { status: 404 });
  }
  // A note is for the owner alone. As with all pages of the inbox, no cache may store it.
  const headers = "note" in form.typed ? { "Cache-Control": "private, no-store" } : undefined;
  const { typed } = form;
  const lines = [
    ...sheetFields.map((field) => ({ ...field, text: shownTyped(field.name, typed[field.name]) })),
    ...dayFields.map((field) => ({ ...field, text: typed[field.name] })),
  ].filter(({ text }) => text !== undefined);
  return data({ ...form, lines }, { status: form.status, headers });
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
  const { status, reason, back, typed, lines, id } = loaderData;
  const { note } = typed;
  const isMessage = "message" in typed;
  // Sending a note twice changes nothing, but a message would arrive twice.
  const mayResend = (status === 401 || status >= 500) && note !== undefined;
  const Page = isMessage ? SheetPage : CardPage;
  const noteField = note !== undefined && (
    <TextArea
      label="ملاحظة لك وحدك"
      name="note"
      rows={8}
      dir="auto"
      readOnly={!mayResend}
      defaultValue={note}
    />
  );
  return (
    <Page title="تعذّر تنفيذ طلبك">
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
      {(lines.length > 0 || noteField) && <p>ما كتبته محفوظ هنا. انسخه قبل أن تغادر هذه الصفحة.</p>}
      {status === 413 && lines.length > 0 && (
        <p>يظهر هنا أول ما كتبته فقط، وما بعده أطول من أن يُعرض.</p>
      )}
      {lines.length > 0 && (
        <div className={fieldsClass}>
          {lines.map(({ text, ...field }) => (
            <Blank key={field.name} field={field} text={text} readOnly />
          ))}
        </div>
      )}
      {mayResend ? (
        <form method="post" action={back} className="grid gap-5">
          <input type="hidden" name="id" value={id} />
          {noteField}
          <button type="submit" className={buttonClass("primary")}>
            إعادة المحاولة
          </button>
        </form>
      ) : (
        noteField
      )}
      <a href={back} className={buttonClass(status === 401 || mayResend ? "quiet" : "primary")}>
        العودة إلى الموقع
      </a>
    </Page>
  );
}
