import { data, href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { CodeField, PasswordField, PostForm } from "#app/components/form-parts.tsx";
import { fieldErrors, textFields } from "#app/lib/form-errors.ts";
import { keepForm } from "#app/hooks/offline-form.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { getAnonymousSupabase, getAttempts, getSupabase } from "#app/session/supabase.server.ts";
import { passwordMinLength } from "#app/models/account.ts";
import {
  changePassword,
  passwordChangeSchema,
  passwordFields,
  setPassword,
} from "#app/models/password.server.ts";
import { type FormResult, refusalInit } from "#app/models/refusal.ts";
import { authErrorText, refusalText } from "#app/routes/auth/auth-errors.ts";
import type { Route } from "./+types/password.ts";
import { AccountCardPage } from "./account-card-page.tsx";

type Result = FormResult<"password" | "code" | "current">;

export function loader({ context }: Route.LoaderArgs) {
  const account = getAccount(context);
  return { email: account.email, fields: passwordFields(account) };
}

/** A session that a mail has just begun needs no old password: that is what it replaces. */
export async function action({ request, context }: Route.ActionArgs) {
  const account = getAccount(context);
  const form = await request.formData();
  const result = passwordChangeSchema.safeParse(textFields(form, passwordFields(account)));
  if (!result.success) {
    return data<Result>({ errors: fieldErrors(result.error) }, { status: 400 });
  }
  const { password, current, code = "" } = result.data;
  if (password === current) {
    const errors = { password: authErrorText("same_password") };
    return data<Result>({ errors }, { status: 422 });
  }
  const clients = { visitor: getSupabase(context), anonymous: getAnonymousSupabase(context) };
  const refused =
    current === undefined
      ? await setPassword(clients.visitor, password)
      : await changePassword(clients, getAttempts(context), account, { current, code, password });
  if (refused) {
    const { field, refusal } = refused;
    const isWrong = refusal.code === "invalid_credentials";
    const text = isWrong ? authErrorText("current_password_invalid") : refusalText(refusal);
    return data<Result>({ errors: { [field]: text } }, refusalInit(refusal));
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
  const { email, fields } = loaderData;
  const needsProof = fields.includes("current");
  const { errors, failure } = actionData ?? {};
  return (
    <AccountCardPage title="كلمة مرور جديدة">
      <PostForm submit="حفظ كلمة المرور" failure={failure}>
        {/* Tells password managers whose password this is. */}
        <input hidden readOnly name="username" autoComplete="username" value={email} />
        {needsProof && (
          <PasswordField
            label="كلمة المرور الحالية"
            name="current"
            autoComplete="current-password"
            required
            error={errors?.current}
          />
        )}
        {fields.includes("code") && (
          <CodeField label="رمز جديد من تطبيق المصادقة" required error={errors?.code} />
        )}
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
