import { href } from "react-router";
import { keepForm } from "#app/hooks/keep-form.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import type { Route } from "./+types/resend.ts";
import { MailForm } from "./mail-form.tsx";
import { requestMail } from "./request-mail.server.ts";

export function action(args: Route.ActionArgs) {
  const { auth } = getSupabase(args.context);
  const emailRedirectTo = new URL(href("/"), args.context.get(siteContext).url).href;
  return requestMail(
    args,
    (email) => auth.resend({ type: "signup", email, options: { emailRedirectTo } }),
    `${href("/auth/confirm")}?type=signup&sent`,
  );
}

export const clientAction = keepForm;

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const meta: Route.MetaFunction = () => [{ title: "رسالة تأكيد جديدة" }];

export default function Resend({ actionData }: Route.ComponentProps) {
  return (
    <MailForm title="رسالة تأكيد جديدة" submit="إرسال الرسالة" result={actionData}>
      اكتب البريد الذي أنشأت به حسابك، وسنرسل إليك رابط التأكيد ورمزه من جديد.
    </MailForm>
  );
}
