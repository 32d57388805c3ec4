import { data, href, redirect } from "react-router";
import { redirectWithToast } from "remix-toast";
import { PostForm } from "#app/components/form-parts.tsx";
import { keepForm } from "#app/hooks/offline-form.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";
import { type FormResult, refusalInit, refusalOf } from "#app/models/refusal.ts";
import { refusalText } from "#app/routes/auth/auth-errors.ts";
import type { Route } from "./+types/remove-factor.ts";
import { AccountCardPage } from "./account-card-page.tsx";
import { ProofFields } from "./proof-fields.tsx";
import { refuseWithoutProof } from "./proof.server.ts";

type Result = FormResult<"code" | "current">;

export function loader({ context, params }: Route.LoaderArgs) {
  const { factors } = getAccount(context);
  const factor = factors.find(({ id }) => id === params.id);
  if (!factor) {
    throw redirect(href("/account"));
  }
  return { name: factor.name, isLast: factors.length === 1 };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await request.formData();
  const refused = await refuseWithoutProof(context, getAccount(context), form);
  if (refused) {
    return refused;
  }
  const { auth } = getSupabase(context);
  const { error } = await auth.mfa.unenroll({ factorId: params.id });
  if (error) {
    const refusal = refusalOf(error);
    return data<Result>({ errors: {}, failure: refusalText(refusal) }, refusalInit(refusal));
  }
  // Until it is renewed the token still says that the removed app was used.
  await auth.refreshSession();
  return redirectWithToast(href("/account"), { type: "success", message: "أُزيل تطبيق المصادقة" });
}

export const clientAction = (sending: Route.ClientActionArgs) => keepForm(sending);

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta: Route.MetaFunction = () => [{ title: "إزالة تطبيق المصادقة" }];

export default function RemoveFactor({ loaderData, actionData }: Route.ComponentProps) {
  const { name, isLast } = loaderData;
  return (
    <AccountCardPage title="إزالة تطبيق المصادقة">
      <p>
        ستُزيل <bdi className="font-semibold">{name}</bdi>.{" "}
        {isLast && "بعدها تكفي كلمة المرور وحدها للدخول إلى حسابك، ولا تعمل رموز الاسترداد."}
      </p>
      <PostForm submit="إزالة" failure={actionData?.failure}>
        <ProofFields hasFactor errors={actionData?.errors} />
      </PostForm>
    </AccountCardPage>
  );
}
