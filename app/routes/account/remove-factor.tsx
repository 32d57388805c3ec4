import { href, redirect } from "react-router";
import { redirectWithToast } from "remix-toast";
import { PostForm } from "#app/components/post-form.tsx";
import { keepForm } from "#app/hooks/keep-form.ts";
import { refusalOf } from "#app/models/account/refusal.ts";
import { problemOf, showAgain } from "#app/routes/form.server.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import type { Route } from "./+types/remove-factor.ts";
import { AccountCardPage } from "./account-card-page.tsx";
import { ProofFields } from "./proof-fields.tsx";
import { checkProof } from "./proof.server.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const { factors } = await getAccount(context);
  const factor = factors.find(({ id }) => id === params.id);
  if (!factor) {
    throw redirect(href("/account"));
  }
  return { name: factor.name, isLast: factors.length === 1 };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await request.formData();
  const problem = await checkProof(context, await getAccount(context), form);
  if (problem) {
    return showAgain(problem);
  }
  const { auth } = getSupabase(context);
  const { error } = await auth.mfa.unenroll({ factorId: params.id });
  if (error) {
    return showAgain<"code" | "current">(problemOf(refusalOf(error)));
  }
  // The old token still claims the assurance level of the removed app.
  await auth.refreshSession();
  return redirectWithToast(href("/account"), { type: "success", message: "أُزيل تطبيق المصادقة" });
}

export const clientAction = keepForm;

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const meta: Route.MetaFunction = () => [{ title: "إزالة تطبيق المصادقة" }];

export default function RemoveFactor({ loaderData, actionData }: Route.ComponentProps) {
  const { name, isLast } = loaderData;
  return (
    <AccountCardPage title="إزالة تطبيق المصادقة">
      <p>
        ستُزيل <bdi className="font-bold">{name}</bdi>.{" "}
        {isLast && "بعدها تكفي كلمة المرور وحدها للدخول إلى حسابك."}
      </p>
      <PostForm submit="إزالة" failure={actionData?.failure}>
        <ProofFields hasFactor errors={actionData?.errors} />
      </PostForm>
    </AccountCardPage>
  );
}
