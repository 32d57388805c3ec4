import { href } from "react-router";
import { keepForm } from "#app/hooks/keep-form.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import type { Route } from "./+types/forgot.ts";
import { MailForm } from "./mail-form.tsx";
import { requestMail } from "./request-mail.server.ts";

const afterwards = `${href("/auth/confirm")}?type=recovery`;

export function action(args: Route.ActionArgs) {
  const { auth } = getSupabase(args.context);
  const redirectTo = new URL(afterwards, args.context.get(siteContext).url).href;
  return requestMail(
    args,
    (email) => auth.resetPasswordForEmail(email, { redirectTo }),
    `${afterwards}&sent`,
  );
}

export const clientAction = keepForm;

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const meta: Route.MetaFunction = () => [{ title: "استعادة كلمة المرور" }];

export default function Forgot({ actionData }: Route.ComponentProps) {
  return (
    <MailForm title="استعادة كلمة المرور" submit="إرسال الرسالة" result={actionData}>
      اكتب بريد حسابك، وسنرسل إليك رسالة تختار منها كلمة مرور جديدة.
    </MailForm>
  );
}
