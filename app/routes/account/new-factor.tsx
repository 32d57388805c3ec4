import { data, href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { Field } from "#app/components/field.tsx";
import { PostForm } from "#app/components/form-parts.tsx";
import { fieldErrors, textFields } from "#app/lib/form-errors.ts";
import { cutAnswer, keepForm } from "#app/hooks/offline-form.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";
import { type AccountFactor, factorNameSchema } from "#app/models/account.ts";
import type { FormResult } from "#app/models/refusal.ts";
import { renewRecoveryCodes } from "#app/models/second-factor.server.ts";
import { authErrorText } from "#app/routes/auth/auth-errors.ts";
import type { Route } from "./+types/new-factor.ts";
import { AccountCardPage } from "./account-card-page.tsx";
import { confirmFactor, enrolFactor } from "./enrolment.server.ts";
import { ProofFields } from "./proof-fields.tsx";
import { refuseWithoutProof } from "./proof.server.ts";
import { RecoveryCodesPage } from "./recovery-codes-page.tsx";
import { ScanPage } from "./scan-page.tsx";
import { useKept } from "#app/hooks/use-last-action-data.ts";

type Result = FormResult<"name" | "code" | "current">;

export function loader({ context }: Route.LoaderArgs) {
  const { factors } = getAccount(context);
  return { hasFactor: factors.length > 0, freeName: freeName(factors) };
}

const defaultName = "هاتفي";

function freeName(factors: AccountFactor[]): string {
  const taken = new Set(factors.map(({ name }) => name));
  let name = defaultName;
  for (let number = 2; taken.has(name); number += 1) {
    name = `${defaultName} ${number}`;
  }
  return name;
}

/** First the name and a proof, which show the QR code; then a code of the app that scanned it. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  return form.has("factor") ? confirm(form, context) : start(form, context);
}

async function start(form: FormData, context: Route.ActionArgs["context"]) {
  const values = textFields(form, ["name"]);
  const result = factorNameSchema.safeParse(values);
  if (!result.success) {
    return data<Result>({ values, errors: fieldErrors(result.error) }, { status: 400 });
  }
  const account = getAccount(context);
  // Before the proof: a code that has shown it is used up.
  if (account.factors.some(({ name }) => name === result.data.name)) {
    const errors = { name: authErrorText("mfa_factor_name_conflict") };
    return data<Result>({ values, errors }, { status: 422 });
  }
  const refused = await refuseWithoutProof(context, account, form);
  if (refused) {
    return data<Result>({ values, ...refused.data }, refused.init ?? {});
  }
  return enrolFactor(context, result.data.name);
}

async function confirm(form: FormData, context: Route.ActionArgs["context"]) {
  const { factors } = getAccount(context);
  // A reloaded page sends its form again: the factor is there, the codes were shown.
  if (factors.some(({ id }) => id === form.get("factor"))) {
    return redirectWithToast(href("/account"), {
      type: "info",
      message: "التحقق بخطوتين مفعّل",
      description: "إن لم تحفظ رموز الاسترداد فأنشئ رموزًا جديدة.",
    });
  }
  const refused = await confirmFactor(context, form);
  if (refused) {
    return refused;
  }
  if (factors.length === 0) {
    return { codes: await renewRecoveryCodes(getSupabase(context)) };
  }
  return redirectWithToast(href("/account"), { type: "success", message: "أُضيف تطبيق المصادقة" });
}

export const clientAction = (sending: Route.ClientActionArgs) => keepForm(sending);

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta: Route.MetaFunction = () => [{ title: "التحقق بخطوتين" }];

export default function NewFactor({ loaderData, actionData }: Route.ComponentProps) {
  const cut = cutAnswer(actionData);
  const answer = useKept(cut ? undefined : actionData);
  if (answer && "codes" in answer) {
    return <RecoveryCodesPage codes={answer.codes} />;
  }
  if (answer && "scan" in answer) {
    return <ScanPage {...answer} failure={cut?.failure} />;
  }
  const { errors, values, failure } = answer ?? {};
  return (
    <AccountCardPage title="التحقق بخطوتين">
      <p className="text-muted">
        تحتاج إلى تطبيق مصادقة على هاتفك، مثل Google Authenticator أو Aegis أو تطبيق كلمات المرور في
        جهازك.
      </p>
      <PostForm submit="متابعة" failure={cut?.failure ?? failure}>
        <Field
          label="اسم الجهاز"
          name="name"
          dir="auto"
          autoComplete="off"
          required
          defaultValue={values?.name ?? loaderData.freeName}
          error={errors?.name}
        />
        <ProofFields hasFactor={loaderData.hasFactor} errors={errors} />
      </PostForm>
    </AccountCardPage>
  );
}
