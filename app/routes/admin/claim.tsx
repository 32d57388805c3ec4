import { data, href, Link, redirect } from "react-router";
import { redirectWithToast } from "remix-toast";
import { z } from "zod";
import { buttonClass } from "#app/components/button.ts";
import { CardPage } from "#app/components/card-page.tsx";
import { Field } from "#app/components/field.tsx";
import { PostForm } from "#app/components/form-parts.tsx";
import { fieldErrors, textFields } from "#app/lib/form-errors.ts";
import { keepForm } from "#app/hooks/offline-form.ts";
import { plainLine } from "#app/lib/plain-text.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";
import { claimInbox, readInboxState } from "#app/models/message.server.ts";
import { type FormResult, refusalInit } from "#app/models/refusal.ts";
import { refusalText } from "#app/routes/auth/auth-errors.ts";
import { log } from "#app/lib/log.server.ts";
import type { Route } from "./+types/claim.ts";

type Result = FormResult<"code">;

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
  const { id, email } = getAccount(context);
  return { account: id, email, code: url.searchParams.get("code")?.slice(0, 100) };
}

/** The confirmation that the page asks for is this POST; of two at the same moment one wins. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const values = textFields(form, ["code"]);
  // Another tab may have signed in as another account since.
  if (form.has("account") && form.get("account") !== getAccount(context).id) {
    return data<Result>({ errors: {}, values, failure: otherAccount }, { status: 409 });
  }
  const parsed = claimSchema.safeParse(values);
  if (!parsed.success) {
    return data<Result>({ errors: fieldErrors(parsed.error), values }, { status: 400 });
  }
  const supabase = getSupabase(context);
  const result = await claimInbox(supabase, parsed.data.code);
  const { id: account } = getAccount(context);
  if (result === true) {
    log.info("The inbox was claimed", { account });
    return redirectWithToast(href("/admin"), { type: "success", message: "صار الصندوق لك وحدك" });
  }
  log.warn("The inbox was not claimed", { account, limited: result !== false });
  if (result !== false) {
    const failure = refusalText(result);
    return data<Result>({ errors: {}, values, failure }, refusalInit(result));
  }
  const { owner } = await readInboxState(supabase);
  if (owner !== "nobody") {
    return redirectWithToast(href("/admin"), { type: "error", message: "للصندوق صاحب آخر" });
  }
  const errors = { code: "الرمز غير صحيح، أو طُبع بعده رمز أحدث." };
  return data<Result>({ errors, values }, { status: 400 });
}

export const clientAction = (sending: Route.ClientActionArgs) => keepForm(sending);

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta: Route.MetaFunction = () => [{ title: "اجعل الصندوق لي وحدي" }];

export default function Claim({
  loaderData: { account, email, code },
  actionData,
}: Route.ComponentProps) {
  return (
    <CardPage title="اجعل الصندوق لي وحدي">
      <p>
        بعد التأكيد لا يقرأ رسائل الزوار إلا هذا الحساب:
        <Address email={email} />
      </p>
      <p className="text-muted">
        يطبع الموقع الرمز كلما بدأ تشغيله، ما دام الصندوق بلا صاحب. يحدث هذا مرة واحدة، ولا يُنقل
        الصندوق بعدها من الموقع نفسه.
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
      <Link to={href("/admin")} className={buttonClass("quiet")}>
        إلغاء
      </Link>
    </CardPage>
  );
}

/** On a narrow screen it breaks before its @, and elsewhere only if a part alone is too long. */
function Address({ email }: { email: string | undefined }) {
  return (
    <bdi dir="ltr" className="block font-semibold wrap-anywhere">
      {email?.split(/(?=@)/).map((part) => (
        <span key={part} className="inline-block max-w-full">
          {part}
        </span>
      ))}
    </bdi>
  );
}
