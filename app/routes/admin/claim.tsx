import { href, redirect } from "react-router";
import { redirectWithToast } from "remix-toast";
import { z } from "zod";
import { ButtonLink } from "#app/components/button-link.tsx";
import { CardPage } from "#app/components/card-page.tsx";
import { Field } from "#app/components/field.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { keepForm } from "#app/hooks/keep-form.ts";
import { log } from "#app/lib/log.server.ts";
import { plainLine } from "#app/lib/plain-text.ts";
import { claimInbox, readInboxState } from "#app/models/inbox.server.ts";
import { readForm } from "#app/routes/form.server.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import type { Route } from "./+types/claim.ts";

const codeText = "اكتب الرمز";
const otherAccount = "دخلت بحساب آخر بعد فتح هذه الصفحة. راجع الحساب المكتوب أعلاه ثم أكّد من جديد.";
const claimSchema = z.object({
  code: z.string().transform(plainLine).pipe(z.string().min(1, codeText).max(100, codeText)),
});

export async function loader({ context, url }: Route.LoaderArgs) {
  const { owner, may_read: mayRead } = await readInboxState(getSupabase(context));
  if (owner !== "nobody" || !mayRead) {
    throw redirect(href("/admin"));
  }
  const { id, email } = await getAccount(context);
  return { account: id, email, code: url.searchParams.get("code")?.slice(0, 100) };
}

/** Makes the account the inbox's owner. Of two simultaneous claims one wins. */
export async function action({ request, context }: Route.ActionArgs) {
  const fields = await request.formData();
  const form = readForm(fields, claimSchema, { keep: ["code"] });
  if (!form.ok) {
    return form.refused;
  }
  const { id: account } = await getAccount(context);
  // Another tab may have signed in with another account.
  if (fields.has("account") && fields.get("account") !== account) {
    return form.refuse({ status: 409, failure: otherAccount });
  }
  const supabase = getSupabase(context);
  if (await claimInbox(supabase, form.data.code)) {
    log.info("The inbox was claimed", { account });
    return redirectWithToast(href("/admin"), { type: "success", message: "صار الصندوق لك وحدك" });
  }
  log.warn("The inbox was not claimed", { account });
  const { owner } = await readInboxState(supabase);
  if (owner !== "nobody") {
    return redirectWithToast(href("/admin"), { type: "error", message: "للصندوق صاحب آخر" });
  }
  return form.refuse({ status: 400, errors: { code: "الرمز غير صحيح، أو طُبع بعده رمز أحدث." } });
}

export const clientAction = keepForm;

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Reads the account again after a refusal too, because the refusal may ask the user to review it. */
export const shouldRevalidate = () => true;

export const meta: Route.MetaFunction = () => [{ title: "اجعل الصندوق لي وحدي" }];

export default function Claim({
  loaderData: { account, email, code },
  actionData,
}: Route.ComponentProps) {
  return (
    <CardPage title="اجعل الصندوق لي وحدي">
      <p>
        بعد التأكيد لا يقرأ رسائل الزوار إلا هذا الحساب:
        <bdi dir="ltr" className="block text-end font-bold wrap-anywhere">
          {email}
        </bdi>
      </p>
      <p className="text-muted">
        يطبع الموقع الرمز كلما بدأ تشغيله، ما دام الصندوق بلا صاحب. يحدث هذا مرة واحدة، ولا يمكن نقله
        بعدها من داخل الموقع.
      </p>
      <PostForm submit="نعم، اجعله لي وحدي" failure={actionData?.failure}>
        <input type="hidden" name="account" value={account} />
        <Field
          label="رمز صاحب الموقع"
          name="code"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={actionData?.values?.code ?? code}
          error={actionData?.errors.code}
        />
      </PostForm>
      <ButtonLink href={href("/admin")}>إلغاء</ButtonLink>
    </CardPage>
  );
}
