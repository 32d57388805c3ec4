import { data, href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { PasswordField, PostForm } from "#app/components/form-parts.tsx";
import { fieldErrors, textFields } from "#app/lib/form-errors.ts";
import { keepForm } from "#app/hooks/offline-form.ts";
import { getAccount } from "#app/session/guards.ts";
import { getSupabase } from "#app/session/supabase.ts";
import { cameByMail, newPasswordSchema, passwordMinLength } from "#app/models/account.ts";
import { type FormResult, refusalInit, refusalOf } from "#app/models/refusal.ts";
import { refusalText } from "#app/routes/auth/auth-errors.ts";
import type { Route } from "./+types/password.ts";
import { AccountCardPage } from "./account-card-page.tsx";
import { ProofFields } from "./proof-fields.tsx";
import { refuseWithoutProof } from "./proof.server.ts";

type Result = FormResult<"password" | "code" | "current">;

export function loader({ context }: Route.LoaderArgs) {
  const account = getAccount(context);
  const { email, factors } = account;
  return { email, hasFactor: factors.length > 0, needsProof: !cameByMail(account) };
}

/** A session that a mail has just begun needs no old password: that is what it replaces. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const result = newPasswordSchema.safeParse(textFields(form, ["password"]));
  if (!result.success) {
    return data<Result>({ errors: fieldErrors(result.error) }, { status: 400 });
  }
  const account = getAccount(context);
  const refused = cameByMail(account)
    ? undefined
    : await refuseWithoutProof(context, account, form);
  if (refused) {
    return data<Result>(refused.data, refused.init ?? {});
  }

  const { error } = await getSupabase(context).auth.updateUser(result.data);
  if (error) {
    const refusal = refusalOf(error);
    return data<Result>({ errors: { password: refusalText(refusal) } }, refusalInit(refusal));
  }
  return redirectWithToast(href("/account"), {
    type: "success",
    message: "تغيّرت كلمة المرور",
    description: "انتهت جلساتك على الأجهزة الأخرى.",
  });
}

export const clientAction = (sending: Route.ClientActionArgs) => keepForm(sending);

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta: Route.MetaFunction = () => [{ title: "كلمة مرور جديدة" }];

export default function Password({ loaderData, actionData }: Route.ComponentProps) {
  const { email, hasFactor, needsProof } = loaderData;
  const { errors, failure } = actionData ?? {};
  return (
    <AccountCardPage title="كلمة مرور جديدة">
      <PostForm submit="حفظ كلمة المرور" failure={failure}>
        {/* Tells password managers whose password this is. */}
        <input hidden readOnly name="username" autoComplete="username" value={email} />
        {needsProof && <ProofFields hasFactor={hasFactor} errors={errors} />}
        <PasswordField
          label="كلمة المرور الجديدة"
          name="password"
          autoComplete="new-password"
          required
          minLength={passwordMinLength}
          error={errors?.password}
        />
      </PostForm>
      {needsProof && (
        <p className="text-sm text-muted">
          نسيت الحالية؟{" "}
          <a href={href("/auth/forgot")} className="text-brand underline underline-offset-4">
            غيّرها برسالة إلى بريدك
          </a>
          .
        </p>
      )}
    </AccountCardPage>
  );
}
