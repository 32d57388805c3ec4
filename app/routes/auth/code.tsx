import { href, redirectDocument } from "react-router";
import { CardPage } from "#app/components/card-page.tsx";
import { Disclosure } from "#app/components/disclosure.tsx";
import { Field } from "#app/components/field.tsx";
import { CodeField } from "#app/components/form-parts.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { SignOutForm } from "#app/components/sign-out-form.tsx";
import { isOffline, keepForm } from "#app/hooks/keep-form.ts";
import { useLastActionData } from "#app/hooks/use-last-action-data.ts";
import type { FormResult } from "#app/lib/form-errors.ts";
import { log } from "#app/lib/log.server.ts";
import { codeIsDue, codeSchema, recoverySchema } from "#app/models/account.ts";
import { redeemRecoveryCode, verifyCode } from "#app/models/second-factor.server.ts";
import { problemOf, readForm } from "#app/routes/form.server.ts";
import { getAccount, requireSession } from "#app/session/guards.server.ts";
import { documentWithToast } from "#app/session/redirects.server.ts";
import { getAttempts, getSupabase } from "#app/session/supabase.server.ts";
import type { Route } from "./+types/code.ts";
import { nextOf } from "./next.server.ts";

type Result = FormResult<"code" | "recovery">;

export const middleware: Route.MiddlewareFunction[] = [requireSession];

export function loader({ context, url }: Route.LoaderArgs) {
  const account = getAccount(context);
  if (!codeIsDue(account)) {
    throw redirectDocument(nextOf(url, context) ?? href("/admin"));
  }
  return { email: account.email };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const next = nextOf(url, context);
  if (form.has("recovery")) {
    return recover(form, context, next);
  }

  const typed = readForm(form, codeSchema);
  if (!typed.ok) {
    return typed.refused;
  }
  const refusal = await verifyCode(
    getSupabase(context),
    getAttempts(context),
    getAccount(context),
    typed.data.code,
  );
  if (refusal) {
    return typed.refuse(problemOf(refusal, "code"));
  }
  return documentWithToast(next ?? href("/admin"), {
    type: "success",
    message: "تم تسجيل الدخول بنجاح",
  });
}

export const clientAction = keepForm;

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

async function recover(form: FormData, context: Route.ActionArgs["context"], next?: string) {
  const typed = readForm(form, recoverySchema);
  if (!typed.ok) {
    return typed.refused;
  }
  const { id: account } = getAccount(context);
  const refusal = await redeemRecoveryCode(getSupabase(context), typed.data.recovery);
  if (refusal) {
    log.info("A recovery code failed", { account, code: refusal.code });
    return typed.refuse(problemOf(refusal, "recovery"));
  }
  log.warn("A recovery code was used", { account });
  // The account has no second factor now. The account page offers a new one.
  return documentWithToast(next ?? href("/account"), {
    type: "warning",
    message: "تم تسجيل الدخول برمز الاسترداد",
    description: "أُوقف التحقق بخطوتين وأُلغيت بقية الرموز. فعّله من جديد من «حسابي».",
  });
}

export const meta: Route.MetaFunction = () => [{ title: "رمز التحقق" }];

export default function Code({ loaderData: { email }, actionData }: Route.ComponentProps) {
  const { code, recovery }: Result["errors"] = actionData?.errors ?? {};
  const wasWrong = useLastActionData(recovery) !== undefined;
  const { failure } = actionData ?? {};
  const isRecovery = isOffline(actionData) && "recovery" in actionData.values;
  return (
    <CardPage title="رمز التحقق">
      <p className="text-muted">
        افتح تطبيق المصادقة واكتب الرمز الذي يعرضه للحساب{" "}
        <bdi dir="ltr" className="wrap-anywhere">
          {email}
        </bdi>
        .
      </p>
      <PostForm submit="متابعة" failure={isRecovery ? undefined : failure}>
        <CodeField required error={code} />
      </PostForm>
      <Disclosure
        title="فقدت الجهاز؟ استعمل رمز استرداد"
        open={wasWrong}
        className="rounded-xl border border-line px-4 py-2"
      >
        <div className="grid gap-4 py-3">
          <p className="text-sm text-muted">
            يعمل كل رمز مرة واحدة، ويوقف التحقق بخطوتين حتى تفعّله من جديد.
          </p>
          <PostForm submit="الدخول برمز الاسترداد" failure={isRecovery ? failure : undefined}>
            <Field
              label="رمز الاسترداد"
              name="recovery"
              dir="ltr"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={100}
              required
              error={recovery}
            />
          </PostForm>
        </div>
      </Disclosure>
      <SignOutForm />
    </CardPage>
  );
}
