import { data, href, redirect } from "react-router";
import { redirectWithToast } from "remix-toast";
import { CardPage } from "#app/components/card-page.tsx";
import { Field } from "#app/components/field.tsx";
import { CodeField, PostForm } from "#app/components/form-parts.tsx";
import { SignOutForm } from "#app/components/sign-out-form.tsx";
import { fieldErrors, textFields } from "#app/lib/form-errors.ts";
import { cutAnswer, keepForm } from "#app/hooks/offline-form.ts";
import { useKept } from "#app/hooks/use-last-action-data.ts";
import { getAccount, requireSession } from "#app/session/guards.server.ts";
import { getAttempts, getSupabase } from "#app/session/supabase.server.ts";
import { codeIsDue, codeSchema, recoverySchema } from "#app/models/account.ts";
import { type FormResult, refusalInit } from "#app/models/refusal.ts";
import { redeemRecoveryCode, verifyCode } from "#app/models/second-factor.server.ts";
import { log } from "#app/lib/log.server.ts";
import type { Route } from "./+types/code.ts";
import { refusalText } from "./auth-errors.ts";
import { nextOf } from "./next.server.ts";

type Result = FormResult<"code" | "recovery">;

export const middleware: Route.MiddlewareFunction[] = [requireSession];

export function loader({ context, url }: Route.LoaderArgs) {
  const account = getAccount(context);
  if (!codeIsDue(account)) {
    throw redirect(nextOf(url, context) ?? href("/admin"));
  }
  return { email: account.email };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const next = nextOf(url, context);
  if (form.has("recovery")) {
    return recover(form, context, next);
  }

  const result = codeSchema.safeParse(textFields(form, ["code"]));
  if (!result.success) {
    return data<Result>({ errors: fieldErrors(result.error) }, { status: 400 });
  }
  const refusal = await verifyCode(
    getSupabase(context),
    getAttempts(context),
    getAccount(context),
    result.data.code,
  );
  if (refusal) {
    return data<Result>({ errors: { code: refusalText(refusal) } }, refusalInit(refusal));
  }
  return redirectWithToast(next ?? href("/admin"), {
    type: "success",
    message: "تم تسجيل الدخول بنجاح",
  });
}

async function recover(form: FormData, context: Route.ActionArgs["context"], next?: string) {
  const result = recoverySchema.safeParse(textFields(form, ["recovery"]));
  if (!result.success) {
    return data<Result>({ errors: fieldErrors(result.error) }, { status: 400 });
  }
  const { id: account } = getAccount(context);
  const refusal = await redeemRecoveryCode(getSupabase(context), result.data.recovery);
  if (refusal) {
    log.info("A recovery code failed", { account, code: refusal.code });
    return data<Result>({ errors: { recovery: refusalText(refusal) } }, refusalInit(refusal));
  }
  log.warn("A recovery code was used", { account });
  // The account has no second factor now: its page is where to set one up again.
  return redirectWithToast(next ?? href("/account"), {
    type: "warning",
    message: "تم تسجيل الدخول برمز الاسترداد",
    description: "أُوقف التحقق بخطوتين وأُلغيت بقية الرموز. فعّله من جديد من «حسابي».",
  });
}

export const clientAction = (sending: Route.ClientActionArgs) => keepForm(sending);

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta: Route.MetaFunction = () => [{ title: "رمز التحقق" }];

export default function Code({ loaderData: { email }, actionData }: Route.ComponentProps) {
  const { code, recovery } = actionData?.errors ?? {};
  const wasWrong = useKept(recovery) !== undefined;
  const { failure, values } = cutAnswer(actionData) ?? {};
  const isRecovery = values?.recovery !== undefined;
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
      <details open={wasWrong} className="rounded-xl border border-line px-4 py-2">
        <summary className="min-h-11 cursor-pointer content-center font-semibold text-brand">
          فقدت الجهاز؟ استعمل رمز استرداد
        </summary>
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
      </details>
      <SignOutForm />
    </CardPage>
  );
}
