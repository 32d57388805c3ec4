import { href, redirect } from "react-router";
import { redirectWithToast } from "remix-toast";
import { z } from "zod";
import { PostForm } from "#app/components/post-form.tsx";
import { keepForm } from "#app/hooks/keep-form.ts";
import { endOtherSessions, endSession, readSessions } from "#app/models/account/sessions.server.ts";
import { showAgain } from "#app/routes/form.server.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import type { Route } from "./+types/end-session.ts";
import { AccountCardPage } from "./account-card-page.tsx";
import { unknownDevice } from "./devices-section.tsx";
import { ProofFields } from "./proof-fields.tsx";
import { checkProof } from "./proof.server.ts";

const idSchema = z.union([z.literal("others"), z.uuid()]);

export async function loader({ context, params }: Route.LoaderArgs) {
  const hasFactor = (await getAccount(context)).factors.length > 0;
  if (params.id === "others") {
    return { hasFactor, device: undefined };
  }
  const { sessions } = await readSessions(getSupabase(context));
  const session = sessions.find(({ id, isCurrent }) => id === params.id && !isCurrent);
  if (!session) {
    throw redirect(href("/account"));
  }
  return { hasFactor, device: session.device ?? unknownDevice };
}

/** Needs a proof, so that a stolen session alone cannot keep the account's holder out. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const id = idSchema.safeParse(params.id);
  if (!id.success) {
    return redirect(href("/account"));
  }
  const account = await getAccount(context);
  const problem = await checkProof(context, account, await request.formData());
  if (problem) {
    return showAgain(problem);
  }
  const { backend } = context.get(siteContext);
  await (id.data === "others"
    ? endOtherSessions(getSupabase(context))
    : endSession(backend, { session: id.data, by: account.session }));
  return redirectWithToast(href("/account"), {
    type: "success",
    message: id.data === "others" ? "أُنهيت الجلسات الأخرى" : "أُنهيت الجلسة",
  });
}

export const clientAction = keepForm;

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const meta: Route.MetaFunction = () => [{ title: "إنهاء الجلسات" }];

export default function EndSession({ loaderData, actionData }: Route.ComponentProps) {
  const { hasFactor, device } = loaderData;
  return (
    <AccountCardPage title="إنهاء الجلسات">
      {device === undefined ? (
        <p>ستنتهي جلسات حسابك كلها، إلا جلسة هذا الجهاز.</p>
      ) : (
        <p>
          ستنتهي جلسة <bdi className="font-bold">{device}</bdi>.
        </p>
      )}
      <PostForm submit="إنهاء" failure={actionData?.failure}>
        <ProofFields hasFactor={hasFactor} errors={actionData?.errors} />
      </PostForm>
    </AccountCardPage>
  );
}
