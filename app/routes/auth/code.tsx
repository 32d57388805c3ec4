import { href, redirectDocument } from "react-router";
import { CardPage } from "#app/components/card-page.tsx";
import { CodeField } from "#app/components/form-parts.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { SignOutForm } from "#app/components/sign-out-form.tsx";
import { keepForm } from "#app/hooks/keep-form.ts";
import { codeIsDue } from "#app/models/account/current-account.ts";
import { codeSchema } from "#app/models/account/schemas.ts";
import { verifyCode } from "#app/models/account/second-factor.server.ts";
import { problemOf, readForm } from "#app/routes/form.server.ts";
import { getAttempts, getSupabase } from "#app/session/clients.server.ts";
import { getAccount, requireSession } from "#app/session/guards.server.ts";
import { documentWithToast } from "#app/session/redirects.server.ts";
import type { Route } from "./+types/code.ts";
import { nextOf } from "./next.server.ts";

export const middleware: Route.MiddlewareFunction[] = [requireSession];

export async function loader({ context, url }: Route.LoaderArgs) {
  const account = await getAccount(context);
  if (!codeIsDue(account)) {
    throw redirectDocument(nextOf(url, context) ?? href("/admin"));
  }
  return { email: account.email };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const typed = readForm(await request.formData(), codeSchema);
  if (!typed.ok) {
    return typed.refused;
  }
  const refusal = await verifyCode(
    getSupabase(context),
    getAttempts(context),
    await getAccount(context),
    typed.data.code,
  );
  if (refusal) {
    return typed.refuse(problemOf(refusal, "code"));
  }
  return documentWithToast(nextOf(url, context) ?? href("/admin"), {
    type: "success",
    message: "تم تسجيل الدخول بنجاح",
  });
}

export const clientAction = keepForm;

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const meta: Route.MetaFunction = () => [{ title: "رمز التحقق" }];

export default function Code({ loaderData: { email }, actionData }: Route.ComponentProps) {
  return (
    <CardPage title="رمز التحقق">
      <p className="text-muted">
        افتح تطبيق المصادقة واكتب الرمز الذي يعرضه للحساب{" "}
        <bdi dir="ltr" className="wrap-anywhere">
          {email}
        </bdi>
        .
      </p>
      <PostForm submit="متابعة" failure={actionData?.failure}>
        <CodeField required error={actionData?.errors.code} />
      </PostForm>
      <p className="text-sm text-muted">
        فقدت الجهاز؟ استعمل تطبيقًا آخر أضفته من قبل. وإن لم يكن لديك آخر فاطلب ممن يدير الموقع أن
        يزيل التحقق بخطوتين من حسابك.
      </p>
      <SignOutForm />
    </CardPage>
  );
}
