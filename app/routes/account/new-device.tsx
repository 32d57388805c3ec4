import { type SubmitEvent, useState } from "react";
import { flushSync } from "react-dom";
import { href, redirect } from "react-router";
import { redirectWithToast } from "remix-toast";
import type { Handle } from "#app/components/handle.ts";
import { PostForm } from "#app/components/post-form.tsx";
import { showToast } from "#app/components/toast-store.ts";
import { keepForm } from "#app/hooks/keep-form.ts";
import { readInboxState } from "#app/models/inbox.server.ts";
import { showAgain } from "#app/routes/form.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { type RouterContext, siteContext } from "#app/session/site-context.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";
import type { Route } from "./+types/new-device.ts";
import { AccountCardPage } from "./account-card-page.tsx";
import { section } from "./notifications.server.ts";
import { ProofFields } from "./proof-fields.tsx";
import { checkProof } from "./proof.server.ts";
import { needsScripts, unableTexts, usePushState } from "./push-state.ts";
import { type PushFields, subscribe } from "./push-subscription.ts";
import { storePush } from "./push.server.ts";

export async function loader({ context }: Route.LoaderArgs) {
  await requireOwner(context);
  const { notifications } = context.get(siteContext);
  return { hasFactor: getAccount(context).factors.length > 0, pushKey: notifications.pushKey };
}

/** Adds this device to those that get notifications, which have the text of messages. */
export async function action({ request, context }: Route.ActionArgs) {
  await requireOwner(context);
  const fields = await request.formData();
  const problem = await checkProof(context, getAccount(context), fields);
  if (problem) {
    return showAgain(problem);
  }
  const refusal = await storePush(getSupabase(context), fields);
  if (refusal !== undefined) {
    return showAgain<"code" | "current">({ status: 400, failure: refusal });
  }
  return redirectWithToast(section(), { type: "success", message: "شُغّلت تنبيهات هذا الجهاز" });
}

async function requireOwner(context: RouterContext): Promise<void> {
  if ((await readInboxState(getSupabase(context))).owner !== "me") {
    throw redirect(href("/account"));
  }
}

export const clientAction = keepForm;

/** Needs scripts: only they can ask the browser. */
export const handle: Handle = { scripts: "at-once" };

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const meta: Route.MetaFunction = () => [{ title: "تنبيهات هذا الجهاز" }];

export default function NewDevice({ loaderData, actionData }: Route.ComponentProps) {
  const { hasFactor, pushKey } = loaderData;
  const state = usePushState(pushKey);
  const [fields, setFields] = useState<PushFields>();

  async function turnOn(form: HTMLFormElement) {
    const made = await subscribe(pushKey).catch(() => "failed" as const);
    if (typeof made === "object") {
      flushSync(() => setFields(made));
      form.requestSubmit();
      setFields(undefined);
    } else {
      const description = made === "failed" ? unanswered : unpermitted;
      showToast({ type: "error", message: "لم تُشغّل تنبيهات هذا الجهاز", description });
    }
  }

  function send(event: SubmitEvent<HTMLFormElement>) {
    if (!fields) {
      event.preventDefault();
      void turnOn(event.currentTarget);
    }
  }

  return (
    <AccountCardPage title="تنبيهات هذا الجهاز">
      <p className="text-muted">
        تصل إليه نصوص رسائلك والموقع مغلق، ولو تركت اللوحة أيامًا. فأكّد أولًا أنك صاحب الحساب.
      </p>
      {state === "on" || state === "off" ? (
        <PostForm submit="تشغيل التنبيهات" failure={actionData?.failure} onSubmit={send}>
          {Object.entries(fields ?? {}).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <ProofFields hasFactor={hasFactor} errors={actionData?.errors} />
        </PostForm>
      ) : (
        <p>{state === undefined ? needsScripts : unableTexts[state]}</p>
      )}
    </AccountCardPage>
  );
}

const unanswered = "لم تقبل خدمة التنبيهات في متصفحك الطلب. أعد المحاولة بعد قليل.";
const unpermitted = "لم تسمح بها في المتصفح.";
