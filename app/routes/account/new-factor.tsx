import { href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { Field } from "#app/components/field.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { isOffline, keepForm } from "#app/hooks/keep-form.ts";
import { useLastActionData } from "#app/hooks/use-last-action-data.ts";
import type { FormResult } from "#app/lib/form-errors.ts";
import type { AccountFactor } from "#app/models/account/current-account.ts";
import { factorNameSchema } from "#app/models/account/schemas.ts";
import { problemOf, readForm } from "#app/routes/form.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import type { Route } from "./+types/new-factor.ts";
import { AccountCardPage } from "./account-card-page.tsx";
import { confirmFactor, enrolFactor } from "./enrolment.server.ts";
import { ProofFields } from "./proof-fields.tsx";
import { checkProof } from "./proof.server.ts";
import { ScanPage } from "./scan-page.tsx";

type Result = FormResult<"name" | "code" | "current">;

export async function loader({ context }: Route.LoaderArgs) {
  const { factors } = await getAccount(context);
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

/** Takes two posts: first the name and a proof, which returns the QR code; then a code of the app. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  return form.has("factor") ? confirm(form, context) : start(form, context);
}

export const clientAction = keepForm;

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

async function start(form: FormData, context: Route.ActionArgs["context"]) {
  const named = readForm(form, factorNameSchema, { keep: ["name"] });
  if (!named.ok) {
    return named.refused;
  }
  const account = await getAccount(context);
  // Checked before the proof, because a code works only once.
  if (account.factors.some(({ name }) => name === named.data.name)) {
    return named.refuse(problemOf({ status: 422, code: "mfa_factor_name_conflict" }, "name"));
  }
  const problem = await checkProof(context, account, form);
  if (problem) {
    return named.refuse(problem);
  }
  const scan = await enrolFactor(context, named.data.name);
  return "status" in scan ? named.refuse(problemOf(scan, "name")) : { scan, error: undefined };
}

async function confirm(form: FormData, context: Route.ActionArgs["context"]) {
  const { factors } = await getAccount(context);
  // A second press of the button posts a form whose factor the first one has confirmed.
  const isConfirmed = factors.some(({ id }) => id === form.get("factor"));
  const refused = isConfirmed ? undefined : await confirmFactor(context, form);
  if (refused) {
    return refused;
  }
  const isFirst = factors.length === (isConfirmed ? 1 : 0);
  return redirectWithToast(href("/account"), {
    type: "success",
    message: isFirst ? "فُعّل التحقق بخطوتين" : "أُضيف تطبيق المصادقة",
    description: isFirst ? "أضف الآن تطبيقًا ثانيًا على جهاز آخر، فتدخل به إن فقدت هذا." : undefined,
  });
}

export const meta: Route.MetaFunction = () => [{ title: "التحقق بخطوتين" }];

export default function NewFactor({ loaderData, actionData }: Route.ComponentProps) {
  const offline = isOffline(actionData) ? actionData : undefined;
  const answer = useLastActionData(offline ? undefined : actionData);
  if (answer && "scan" in answer) {
    return <ScanPage {...answer} failure={offline?.failure} />;
  }
  const { errors, values, failure }: Partial<Result> = answer ?? {};
  return (
    <AccountCardPage title="التحقق بخطوتين">
      <p className="text-muted">
        تحتاج إلى تطبيق مصادقة على هاتفك، مثل Google Authenticator أو Aegis أو تطبيق كلمات المرور في
        جهازك.
      </p>
      <PostForm submit="متابعة" failure={offline?.failure ?? failure}>
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
