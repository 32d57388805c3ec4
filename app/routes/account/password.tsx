import { href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { CodeField, PasswordField } from "#app/components/form-parts.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { keepForm } from "#app/hooks/keep-form.ts";
import {
  changePassword,
  passwordChangeSchema,
  passwordFields,
  setPassword,
} from "#app/models/account/password.server.ts";
import { passwordMinLength } from "#app/models/account/schemas.ts";
import { problemOf, readForm } from "#app/routes/form.server.ts";
import { getSeparateSupabase, getAttempts, getSupabase } from "#app/session/clients.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import type { Route } from "./+types/password.ts";
import { AccountCardPage } from "./account-card-page.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const account = await getAccount(context);
  return { email: account.email, fields: passwordFields(account) };
}

/** Needs no old password shortly after a mail's link (`cameByMail`). */
export async function action({ request, context }: Route.ActionArgs) {
  const account = await getAccount(context);
  const fields = passwordFields(account);
  const form = readForm(await request.formData(), passwordChangeSchema, { fields });
  if (!form.ok) {
    return form.refused;
  }
  const { password, current, code = "" } = form.data;
  if (password === current) {
    return form.refuse(problemOf({ status: 422, code: "same_password" }, "password"));
  }
  const clients = { own: getSupabase(context), separate: getSeparateSupabase(context) };
  const refused =
    current === undefined
      ? await setPassword(clients.own, password)
      : await changePassword(clients, getAttempts(context), account, { current, code, password });
  if (refused) {
    return form.refuse(problemOf(refused.refusal, refused.field));
  }
  return redirectWithToast(href("/account"), {
    type: "success",
    message: "تغيّرت كلمة المرور",
    description: "انتهت جلساتك على الأجهزة الأخرى.",
  });
}

export const clientAction = keepForm;

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const meta: Route.MetaFunction = () => [{ title: "كلمة مرور جديدة" }];

export default function Password({ loaderData, actionData }: Route.ComponentProps) {
  const { email, fields } = loaderData;
  const needsProof = fields.includes("current");
  const { errors, failure } = actionData ?? {};
  return (
    <AccountCardPage title="كلمة مرور جديدة">
      <PostForm submit="حفظ كلمة المرور" failure={failure}>
        {/* For password managers. */}
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
