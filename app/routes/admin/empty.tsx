import { data, href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { ButtonLink } from "#app/components/button-link.tsx";
import { CardPage } from "#app/components/card-page.tsx";
import { Failure } from "#app/components/form-parts.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { keepForm } from "#app/hooks/keep-form.ts";
import { countedMessages } from "#app/lib/arabic-plural.ts";
import { log } from "#app/lib/log.server.ts";
import { boxNames, type EmptiableBox } from "#app/models/boxes.ts";
import { emptySchema } from "#app/models/inbox-forms.server.ts";
import { emptyBox } from "#app/models/inbox-work.server.ts";
import { readInbox, readInboxState } from "#app/models/inbox.server.ts";
import { readForm, showAgain } from "#app/routes/form.server.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import type { Route } from "./+types/empty.ts";

const onlyOwner = "لا يُفرغ الصناديق إلا صاحبها.";
const boxSchema = emptySchema.pick({ box: true });
const names: Record<EmptiableBox, string> = { spam: boxNames.spam, trash: "سلة المهملات" };

export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = boxSchema.safeParse({ box: url.searchParams.get("box") });
  if (!asked.success) {
    return data({ problem: asked.error.issues[0]?.message, full: undefined }, { status: 400 });
  }
  const { box } = asked.data;
  const { state, page } = await readInbox(getSupabase(context), {
    box,
    cursor: undefined,
    now: Date.now(),
    absences: [],
  });
  await getAccount(context);
  if (state.owner !== "me" || !state.may_read) {
    return data({ problem: onlyOwner, full: undefined }, { status: 403 });
  }
  // Only what was counted is deleted, up to the newest message, so later arrivals are kept. The trash is sorted
  // by another time, and only the owner adds to it, so the clock is enough there.
  const newest = page.messages[0]?.created_at;
  const until = (box === "spam" && newest) || new Date().toISOString();
  const full =
    state[box] > 0
      ? { box, until, name: names[box], count: countedMessages(state[box]) }
      : undefined;
  return { problem: undefined, full };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = readForm(await request.formData(), emptySchema);
  if (!form.ok) {
    return form.refused;
  }
  const { box } = form.data;
  const supabase = getSupabase(context);
  const { owner, may_read: mayRead } = await readInboxState(supabase);
  if (owner !== "me" || !mayRead) {
    return showAgain({ status: 403, failure: onlyOwner });
  }
  const { deleted, isEmpty } = await emptyBox(supabase, form.data);
  log.info("A box was emptied", { account: (await getAccount(context)).id, box, deleted, isEmpty });
  const done = `حُذفت نهائيًا: ${countedMessages(deleted)}`;
  if (!isEmpty) {
    const message = `${done}، وبقي غيرها. تابع الإفراغ.`;
    return redirectWithToast(`${href("/admin/empty")}?box=${box}`, { type: "info", message });
  }
  return redirectWithToast(`${href("/admin")}?box=${box}`, { type: "success", message: done });
}

export const clientAction = keepForm;

export const meta: Route.MetaFunction = () => [{ title: "إفراغ الصندوق" }];

/** Asks for confirmation, because emptying cannot be undone. */
export default function Empty({ loaderData: { problem, full }, actionData }: Route.ComponentProps) {
  const wrong = actionData?.errors.box ?? actionData?.errors.until ?? actionData?.failure;
  return (
    <CardPage title={full ? `إفراغ ${full.name}` : "إفراغ الصندوق"}>
      {full ? (
        <>
          <p>
            ستُحذف نهائيًا: <strong>{full.count}</strong>. لا يمكن التراجع عن هذا.
          </p>
          <PostForm
            look="danger"
            submit="حذف نهائيًا"
            failure={wrong}
            buttons={<Back box={full.box} />}
          >
            <input type="hidden" name="box" value={full.box} />
            <input type="hidden" name="until" value={full.until} />
          </PostForm>
        </>
      ) : (
        <>
          {(wrong ?? problem) ? <Failure>{wrong ?? problem}</Failure> : <p>لا شيء فيه ليُحذف.</p>}
          <Back />
        </>
      )}
    </CardPage>
  );
}

function Back({ box }: { box?: string }) {
  return (
    <ButtonLink href={`${href("/admin")}${box ? `?box=${box}` : ""}`}>العودة إلى اللوحة</ButtonLink>
  );
}
