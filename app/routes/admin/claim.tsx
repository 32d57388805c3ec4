import { Form, href, Link, redirect } from "react-router";
import { redirectWithToast } from "remix-toast";
import { buttonClass } from "../../components/button.ts";
import { CardPage } from "../../components/card-page.tsx";
import { getAccount } from "../../middleware/account.ts";
import { getSupabase } from "../../middleware/supabase.ts";
import { claimInbox, readInboxState } from "../../models/message.server.ts";
import type { Route } from "./+types/claim.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { owner, may_read: mayRead } = await readInboxState(getSupabase(context));
  if (owner !== "nobody" || !mayRead) throw redirect(href("/admin"));
  return { email: getAccount(context).email };
}

/** The confirmation that the page asks for is this POST; of two at the same moment one wins. */
export async function action({ context }: Route.ActionArgs) {
  const isOwner = await claimInbox(getSupabase(context));
  return redirectWithToast(
    href("/admin"),
    isOwner
      ? { type: "success", message: "صار الصندوق لك وحدك" }
      : { type: "error", message: "للصندوق صاحب آخر" },
  );
}

export const meta: Route.MetaFunction = () => [{ title: "اجعل الصندوق لي وحدي" }];

export default function Claim({ loaderData: { email } }: Route.ComponentProps) {
  return (
    <CardPage title="اجعل الصندوق لي وحدي">
      <p>
        بعد التأكيد لا يقرأ رسائل الزوار إلا هذا الحساب:
        <Address email={email} />
      </p>
      <p className="text-muted">يحدث هذا مرة واحدة، ولا يُنقل الصندوق بعدها من الموقع نفسه.</p>
      <Form method="post" className="flex flex-wrap gap-3">
        <button type="submit" className={buttonClass("primary")}>
          نعم، اجعله لي وحدي
        </button>
        <Link to={href("/admin")} className={buttonClass("quiet")}>
          إلغاء
        </Link>
      </Form>
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
