import { href, redirect } from "react-router";
import { CodeField } from "#app/components/form-parts.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { keepForm } from "#app/hooks/keep-form.ts";
import { useLastActionData } from "#app/hooks/use-last-action-data.ts";
import { codeSchema } from "#app/models/account.ts";
import { renewRecoveryCodes, verifyCode } from "#app/models/second-factor.server.ts";
import { problemOf, readForm } from "#app/routes/form.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { getAttempts, getSupabase } from "#app/session/supabase.server.ts";
import type { Route } from "./+types/recovery-codes.ts";
import { AccountCardPage } from "./account-card-page.tsx";
import { RecoveryCodesPage } from "./recovery-codes-page.tsx";

export function loader({ context }: Route.LoaderArgs) {
  if (getAccount(context).factors.length === 0) {
    throw redirect(href("/account"));
  }
  return null;
}

/**
 * Shows new codes, in this response only. It takes a code, not the password: the database requires
 * a recent authentication, and on hosted Supabase only a code is one.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const account = getAccount(context);
  if (account.factors.length === 0) {
    return redirect(href("/account"));
  }
  const form = readForm(await request.formData(), codeSchema);
  if (!form.ok) {
    return form.refused;
  }
  const supabase = getSupabase(context);
  const refusal = await verifyCode(supabase, getAttempts(context), account, form.data.code);
  if (refusal) {
    return form.refuse(problemOf(refusal, "code"));
  }
  return { codes: await renewRecoveryCodes(supabase) };
}

export const clientAction = keepForm;

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const meta: Route.MetaFunction = () => [{ title: "رموز الاسترداد" }];

export default function RecoveryCodes({ actionData }: Route.ComponentProps) {
  const answer = useLastActionData(actionData);
  if (answer && "codes" in answer) {
    return <RecoveryCodesPage codes={answer.codes} />;
  }
  return (
    <AccountCardPage title="رموز استرداد جديدة">
      <p className="text-muted">
        ننشئ لك عشرة رموز جديدة تدخل بها إن فقدت هاتفك، وتبطل الرموز السابقة كلها.
      </p>
      <PostForm submit="إنشاء الرموز" failure={answer?.failure}>
        <CodeField label="رمز جديد من تطبيق المصادقة" required error={answer?.errors.code} />
      </PostForm>
    </AccountCardPage>
  );
}
