import { data } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { CardPage } from "#app/components/card-page.tsx";
import { Field } from "#app/components/field.tsx";
import { Failure } from "#app/components/form-parts.tsx";
import { failureText } from "#app/lib/failure-text.ts";
import { refusalContext } from "#app/session/site-context.server.ts";
import type { Route } from "./+types/refused.ts";

/** Only the server itself requests this page (site.ts); for visitors it does not exist. */
export function loader({ context }: Route.LoaderArgs) {
  const refusal = context.get(refusalContext);
  if (!refusal) {
    throw data(null, { status: 404 });
  }
  return data(refusal, { status: refusal.status });
}

export const meta: Route.MetaFunction = () => [
  { title: "لم يتم طلبك" },
  { name: "robots", content: "noindex" },
];

const labels: Record<string, string> = {
  name: "الاسم",
  email: "البريد الإلكتروني",
  phone: "رقم واتساب",
  message: "الرسالة",
};

export default function Refused({ loaderData: { status, back, kept } }: Route.ComponentProps) {
  const fields = Object.entries(kept);
  return (
    <CardPage title="لم يتم طلبك">
      <Failure>{failureText(status)}</Failure>
      {status === 500 && (
        <p lang="en" dir="ltr" className="text-muted">
          Unexpected Application Error!
        </p>
      )}
      {fields.length > 0 && <p>ما كتبته محفوظ هنا. انسخه قبل أن تغادر هذه الصفحة.</p>}
      {fields.map(([name, text]) => (
        <Field
          key={name}
          as={name === "message" ? "textarea" : "input"}
          label={labels[name] ?? name}
          name={name}
          dir="auto"
          readOnly
          defaultValue={text}
        />
      ))}
      <a href={back} className={buttonClass("primary")}>
        العودة إلى الموقع
      </a>
    </CardPage>
  );
}
