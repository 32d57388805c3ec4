import { href, redirect } from "react-router";
import { PostForm } from "#app/components/form-parts.tsx";
import { cutAnswer, keepForm } from "#app/hooks/offline-form.ts";
import { getAccount } from "#app/session/guards.ts";
import { renewRecoveryCodes } from "#app/models/second-factor.server.ts";
import type { Route } from "./+types/recovery-codes.ts";
import { AccountCardPage } from "./account-card-page.tsx";
import { ProofFields } from "./proof-fields.tsx";
import { refuseWithoutProof } from "./proof.server.ts";
import { RecoveryCodesPage } from "./recovery-codes-page.tsx";
import { useKept } from "#app/hooks/use-last-action-data.ts";

export function loader({ context }: Route.LoaderArgs) {
  if (getAccount(context).factors.length === 0) {
    throw redirect(href("/account"));
  }
  return null;
}

/** The answer is the only place where the codes are ever shown. */
export async function action({ request, context }: Route.ActionArgs) {
  const account = getAccount(context);
  if (account.factors.length === 0) {
    return redirect(href("/account"));
  }
  const refused = await refuseWithoutProof(context, account, await request.formData());
  return refused ?? { codes: await renewRecoveryCodes(context) };
}

export const clientAction = (sending: Route.ClientActionArgs) => keepForm(sending);

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta: Route.MetaFunction = () => [{ title: "رموز الاسترداد" }];

export default function RecoveryCodes({ actionData }: Route.ComponentProps) {
  const answer = useKept(actionData);
  if (answer && "codes" in answer) {
    return <RecoveryCodesPage codes={answer.codes} />;
  }
  return (
    <AccountCardPage title="رموز استرداد جديدة">
      <p className="text-muted">
        ننشئ لك عشرة رموز جديدة تدخل بها إن فقدت هاتفك، وتبطل الرموز السابقة كلها.
      </p>
      <PostForm submit="إنشاء الرموز" failure={cutAnswer(actionData)?.failure}>
        <ProofFields hasFactor errors={answer?.errors} />
      </PostForm>
    </AccountCardPage>
  );
}
