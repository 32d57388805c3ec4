import { data, href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { Field } from "../../components/field.tsx";
import { PostForm } from "../../components/form-parts.tsx";
import { fieldErrors, textFields } from "../../lib/form-errors.ts";
import { cutAnswer, keepForm } from "../../lib/keep-page.ts";
import { getAccount } from "../../middleware/account.ts";
import { factorNameSchema } from "../../models/account.ts";
import type { FormResult } from "../../models/refusal.ts";
import { renewRecoveryCodes } from "../../models/second-factor.server.ts";
import type { Route } from "./+types/new-factor.ts";
import { AccountCardPage } from "./account-card-page.tsx";
import { confirmFactor, enrolFactor } from "./enrolment.server.ts";
import { ProofFields } from "./proof-fields.tsx";
import { refuseWithoutProof } from "./proof.server.ts";
import { RecoveryCodesPage } from "./recovery-codes-page.tsx";
import { ScanPage } from "./scan-page.tsx";
import { useKept } from "../../lib/use-kept.ts";

type Result = FormResult<"name" | "code" | "current">;

export function loader({ context }: Route.LoaderArgs) {
  return { hasFactor: getAccount(context).factors.length > 0 };
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
  const refused = await refuseWithoutProof(context, getAccount(context), form);
  if (refused) return data<Result>({ values, ...refused.data }, refused.init ?? {});
  return enrolFactor(context, result.data.name);
}

async function confirm(form: FormData, context: Route.ActionArgs["context"]) {
  const refused = await confirmFactor(context, form);
  if (refused) return refused;
  if (getAccount(context).factors.length === 0) {
    return { codes: await renewRecoveryCodes(context) };
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
  if (answer && "codes" in answer) return <RecoveryCodesPage codes={answer.codes} />;
  if (answer && "scan" in answer) return <ScanPage {...answer} failure={cut?.failure} />;
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
          defaultValue={values?.name ?? "هاتفي"}
          error={errors?.name}
        />
        <ProofFields hasFactor={loaderData.hasFactor} errors={errors} />
      </PostForm>
    </AccountCardPage>
  );
}
