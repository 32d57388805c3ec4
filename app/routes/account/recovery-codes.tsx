import { data, href, redirect } from "react-router";
import { CodeField, PostForm } from "#app/components/form-parts.tsx";
import { fieldErrors, textFields } from "#app/lib/form-errors.ts";
import { cutAnswer, keepForm } from "#app/hooks/offline-form.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { getAttempts, getSupabase } from "#app/session/supabase.server.ts";
import { codeSchema } from "#app/models/account.ts";
import { type FormResult, refusalInit } from "#app/models/refusal.ts";
import { renewRecoveryCodes, verifyCode } from "#app/models/second-factor.server.ts";
import { refusalText } from "#app/routes/auth/auth-errors.ts";
import type { Route } from "./+types/recovery-codes.ts";
import { AccountCardPage } from "./account-card-page.tsx";
import { RecoveryCodesPage } from "./recovery-codes-page.tsx";
import { useKept } from "#app/hooks/use-last-action-data.ts";

type Result = FormResult<"code">;

export function loader({ context }: Route.LoaderArgs) {
  if (getAccount(context).factors.length === 0) {
    throw redirect(href("/account"));
  }
  return null;
}

/**
 * The answer is the only place where the codes are ever shown. A code and no password: the
 * database asks for a fresh authentication of the session, and on hosted Supabase only a code is one.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const account = getAccount(context);
  if (account.factors.length === 0) {
    return redirect(href("/account"));
  }
  const result = codeSchema.safeParse(textFields(await request.formData(), ["code"]));
  if (!result.success) {
    return data<Result>({ errors: fieldErrors(result.error) }, { status: 400 });
  }
  const supabase = getSupabase(context);
  const refusal = await verifyCode(supabase, getAttempts(context), account, result.data.code);
  if (refusal) {
    return data<Result>({ errors: { code: refusalText(refusal) } }, refusalInit(refusal));
  }
  return { codes: await renewRecoveryCodes(supabase) };
}

export const clientAction = (sending: Route.ClientActionArgs) => keepForm(sending);

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta: Route.MetaFunction = () => [{ title: "رموز الاسترداد" }];

export default function RecoveryCodes({ actionData }: Route.ComponentProps) {
  const answer = useKept(actionData);
  if (answer && "codes" in answer) {
    return <RecoveryCodesPage codes={answer.codes} />;
  }
  return (
    <AccountCardPage title="رموز استرداد جديدة">
      <p className="text-muted">
        ننشئ لك عشرة رموز جديدة تدخل بها إن فقدت هاتفك، وتبطل الرموز السابقة كلها.
      </p>
      <PostForm submit="إنشاء الرموز" failure={cutAnswer(actionData)?.failure}>
        <CodeField label="رمز جديد من تطبيق المصادقة" required error={answer?.errors.code} />
      </PostForm>
    </AccountCardPage>
  );
}
