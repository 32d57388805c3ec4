import { href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { EmailField } from "#app/components/form-parts.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { keepForm } from "#app/hooks/keep-form.ts";
import type { FormResult } from "#app/lib/form-errors.ts";
import { takeAttempt } from "#app/models/account/attempts.server.ts";
import { type AuthRefusal, refusalOf } from "#app/models/account/refusal.ts";
import { emailSchema } from "#app/models/account/schemas.ts";
import { problemOf, readForm } from "#app/routes/form.server.ts";
import { getAttempts, getSupabase } from "#app/session/clients.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import type { Route } from "./+types/change-email.ts";
import { AccountCardPage } from "./account-card-page.tsx";
import { ProofFields } from "./proof-fields.tsx";
import { checkProof } from "./proof.server.ts";

type Result = FormResult<"email" | "code" | "current">;

export async function loader({ context }: Route.LoaderArgs) {
  const { email, factors } = await getAccount(context);
  return { email, hasFactor: factors.length > 0 };
}

export async function action({ request, context }: Route.ActionArgs) {
  const fields = await request.formData();
  const form = readForm(fields, emailSchema, { keep: ["email"] });
  if (!form.ok) {
    return form.refused;
  }
  const { email } = form.data;
  const account = await getAccount(context);
  if (email.toLowerCase() === account.email) {
    return form.refuse({ status: 400, errors: { email: "هذا هو بريدك الحالي" } });
  }
  const problem = await checkProof(context, account, fields);
  if (problem) {
    return form.refuse(problem);
  }

  const refusal =
    (await takeAttempt(getAttempts(context), "mail", account.email)) ??
    (await askForChange(context, email));
  if (refusal) {
    return form.refuse(problemOf(refusal));
  }
  return redirectWithToast(href("/account"), {
    type: "success",
    message: "تفقّد بريدك",
    description: "أرسلنا رسالة إلى العنوان الجديد. لا يتغيّر بريدك قبل التأكيد منها.",
  });
}

export const clientAction = keepForm;

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

async function askForChange(
  context: Route.ActionArgs["context"],
  email: string,
): Promise<AuthRefusal | undefined> {
  const emailRedirectTo = new URL(href("/account"), context.get(siteContext).url).href;
  const { error } = await getSupabase(context).auth.updateUser({ email }, { emailRedirectTo });
  return error ? refusalOf(error) : undefined;
}

export const meta: Route.MetaFunction = () => [{ title: "تغيير البريد الإلكتروني" }];

export default function Email({ loaderData, actionData }: Route.ComponentProps) {
  const { errors, values, failure }: Partial<Result> = actionData ?? {};
  return (
    <AccountCardPage title="تغيير البريد الإلكتروني">
      <p className="text-muted">
        بريدك الآن{" "}
        <bdi dir="ltr" className="wrap-anywhere">
          {loaderData.email}
        </bdi>
        . نرسل إلى العنوان الجديد رسالة تؤكّده منها، وقد نرسل إلى العنوان الحالي أيضًا رسالة توافق
        منها على التغيير.
      </p>
      <PostForm submit="إرسال رسالة التأكيد" failure={failure}>
        <EmailField label="البريد الجديد" defaultValue={values?.email} error={errors?.email} />
        <ProofFields hasFactor={loaderData.hasFactor} errors={errors} />
      </PostForm>
    </AccountCardPage>
  );
}
