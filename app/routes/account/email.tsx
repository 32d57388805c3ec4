import { data, href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { EmailField, PostForm } from "#app/components/form-parts.tsx";
import { siteContext } from "#app/session/site-context.server.ts";
import { fieldErrors, textFields } from "#app/lib/form-errors.ts";
import { keepForm } from "#app/hooks/offline-form.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { getAttempts, getSupabase } from "#app/session/supabase.server.ts";
import { emailSchema } from "#app/models/account.ts";
import { takeAttempt } from "#app/models/attempts.server.ts";
import { type FormResult, type Refusal, refusalInit, refusalOf } from "#app/models/refusal.ts";
import { refusalText } from "#app/routes/auth/auth-errors.ts";
import type { Route } from "./+types/email.ts";
import { AccountCardPage } from "./account-card-page.tsx";
import { ProofFields } from "./proof-fields.tsx";
import { refuseWithoutProof } from "./proof.server.ts";

type Result = FormResult<"email" | "code" | "current">;

export function loader({ context }: Route.LoaderArgs) {
  const { email, factors } = getAccount(context);
  return { email, hasFactor: factors.length > 0 };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const values = textFields(form, ["email"]);
  const result = emailSchema.safeParse(values);
  if (!result.success) {
    return data<Result>({ values, errors: fieldErrors(result.error) }, { status: 400 });
  }
  const account = getAccount(context);
  if (result.data.email.toLowerCase() === account.email) {
    const errors = { email: "هذا هو بريدك الحالي" };
    return data<Result>({ values, errors }, { status: 400 });
  }
  const refused = await refuseWithoutProof(context, account, form);
  if (refused) {
    return data<Result>({ values, ...refused.data }, refused.init ?? {});
  }

  const refusal =
    (await takeAttempt(getAttempts(context), "mail", account.email)) ??
    (await askForChange(context, result.data.email));
  if (refusal) {
    const failure = refusalText(refusal);
    return data<Result>({ values, errors: {}, failure }, refusalInit(refusal));
  }
  return redirectWithToast(href("/account"), {
    type: "success",
    message: "تفقّد بريدك",
    description: "أرسلنا رسالة إلى العنوان الجديد. لا يتغيّر بريدك قبل التأكيد منها.",
  });
}

async function askForChange(
  context: Route.ActionArgs["context"],
  email: string,
): Promise<Refusal | undefined> {
  const emailRedirectTo = new URL(href("/account"), context.get(siteContext).url).href;
  const { error } = await getSupabase(context).auth.updateUser({ email }, { emailRedirectTo });
  return error ? refusalOf(error) : undefined;
}

export const clientAction = (sending: Route.ClientActionArgs) => keepForm(sending);

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta: Route.MetaFunction = () => [{ title: "تغيير البريد الإلكتروني" }];

export default function Email({ loaderData, actionData }: Route.ComponentProps) {
  const { errors, values, failure } = actionData ?? {};
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
