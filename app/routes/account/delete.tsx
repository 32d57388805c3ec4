import { href } from "react-router";
import { CodeField, Hint, PasswordField } from "#app/components/form-parts.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { keepForm } from "#app/hooks/keep-form.ts";
import { log } from "#app/lib/log.server.ts";
import {
  deleteAccount,
  deletionFields,
  deletionSchema,
  isDeleted,
} from "#app/models/account/deletion.server.ts";
import { readInboxState } from "#app/models/inbox.server.ts";
import { problemOf, readForm } from "#app/routes/form.server.ts";
import {
  getSeparateSupabase,
  getAttempts,
  getSupabase,
  signOut,
} from "#app/session/clients.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { documentWithToast } from "#app/session/redirects.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import type { Route } from "./+types/delete.ts";
import { AccountCardPage } from "./account-card-page.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const account = await getAccount(context);
  const { owner } = await readInboxState(getSupabase(context));
  const { sharesAccounts } = context.get(siteContext).backend;
  return { email: account.email, fields: deletionFields(account), owner, sharesAccounts };
}

export async function action({ request, context }: Route.ActionArgs) {
  const account = await getAccount(context);
  const fields = deletionFields(account);
  const form = readForm(await request.formData(), deletionSchema, { fields });
  if (!form.ok) {
    return form.refused;
  }
  const own = getSupabase(context);
  const separate = getSeparateSupabase(context);
  const attempts = getAttempts(context);
  const refused = await deleteAccount({ own, separate }, attempts, account, form.data);
  if (!refused) {
    log.info("An account was deleted by its holder", { account: account.id });
    context.get(siteContext).backend.tellDeletion(account.email);
  } else if (!(await isDeleted(own))) {
    return form.refuse(problemOf(refused.refusal, refused.field));
  }
  // A second press finds the account deleted, and gets the same answer.
  await signOut(context);
  return documentWithToast(href("/"), { type: "success", message: "حُذف حسابك" });
}

export const clientAction = keepForm;

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const meta: Route.MetaFunction = () => [{ title: "حذف حسابي" }];

export default function Delete({ loaderData, actionData }: Route.ComponentProps) {
  const { email, fields, owner, sharesAccounts } = loaderData;
  const { errors, failure } = actionData ?? {};
  return (
    <AccountCardPage title="حذف حسابي">
      <p>
        يُحذف الحساب{" "}
        <bdi dir="ltr" className="font-bold wrap-anywhere">
          {email}
        </bdi>{" "}
        نهائيًا: بريدك وكلمة مرورك وتطبيقات المصادقة وكل الجلسات. لا تراجع بعد الحذف.
      </p>
      <p className="text-muted">
        ما أرسلته من صفحة التواصل لا يُحذف معه، بل من رابط «إيصال رسالتك» الذي ظهر لك بعد الإرسال.
      </p>
      {sharesAccounts && (
        <Hint>
          <p>قد يكون هذا الحساب نفسه حسابك في مواقع أخرى لصاحب هذا الموقع، فيُحذف منها أيضًا.</p>
        </Hint>
      )}
      {owner === "me" && (
        <Hint>
          <p>
            أنت صاحب صندوق الرسائل. تبقى رسائل الزوار فيه، وتصل إليه رسائل جديدة، لكن لا يقرؤها أحد
            ولا يصل تنبيه بها إلى بريد أحد، حتى يستلم الصندوق حساب آخر كما استلمته أنت. إن أردت حذف
            الرسائل أو تنزيلها فافعل ذلك أولًا.
          </p>
        </Hint>
      )}
      <PostForm look="danger" submit="حذف حسابي نهائيًا" failure={failure}>
        {/* For password managers. */}
        <input hidden readOnly name="username" autoComplete="username" value={email} />
        <PasswordField
          label="كلمة المرور الحالية"
          name="current"
          autoComplete="current-password"
          required
          error={errors?.current}
        />
        {fields.includes("code") && (
          <CodeField label="رمز جديد من تطبيق المصادقة" required error={errors?.code} />
        )}
      </PostForm>
      <p className="text-sm text-muted">
        نسيت كلمة المرور؟{" "}
        <a href={href("/auth/forgot")} className="text-brand underline underline-offset-4">
          اختر غيرها برسالة إلى بريدك
        </a>{" "}
        أولًا.
      </p>
    </AccountCardPage>
  );
}
