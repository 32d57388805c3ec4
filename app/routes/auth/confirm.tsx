import { href } from "react-router";
import { ButtonLink } from "#app/components/button-link.tsx";
import { buttonClass } from "#app/components/button.ts";
import { CardPage } from "#app/components/card-page.tsx";
import { CodeField, EmailField, Failure, Hint } from "#app/components/form-parts.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { isOffline, keepForm } from "#app/hooks/keep-form.ts";
import { useLastActionData } from "#app/hooks/use-last-action-data.ts";
import type { FormResult } from "#app/lib/form-errors.ts";
import { mailedCodeSchema } from "#app/models/account/schemas.ts";
import { problemOf, readForm, showAgain } from "#app/routes/form.server.ts";
import { mailedAddress } from "#app/session/mailed-address.server.ts";
import { documentWithToast } from "#app/session/redirects.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import type { Route } from "./+types/confirm.ts";
import {
  confirmationTypeSchema,
  confirmByCode,
  confirmByLink,
  type Confirmed,
} from "./confirm.server.ts";
import { nextOf, withCookieCheck } from "./next.server.ts";

/** Redeems nothing: mail scanners open links, so the token is redeemed by the button's POST. */
export async function loader({ request, context, url: { searchParams } }: Route.LoaderArgs) {
  const wasSent = searchParams.has("sent");
  return {
    type: confirmationTypeSchema.parse(searchParams.get("type")),
    hasLink: Boolean(searchParams.get("token_hash")),
    wasSent,
    email: wasSent ? await mailedAddress(context.get(siteContext), request) : undefined,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const type = confirmationTypeSchema.parse(url.searchParams.get("type"));
  const next = nextOf(url, context);
  if (!form.has("email")) {
    const result = await confirmByLink(context, type, url.searchParams.get("token_hash") ?? "");
    return "status" in result
      ? showAgain<"email" | "code">(problemOf(result))
      : completed(result, next, request);
  }
  const typed = readForm(form, mailedCodeSchema, { keep: ["email"] });
  if (!typed.ok) {
    return typed.refused;
  }
  const result = await confirmByCode(context, type, typed.data);
  return "status" in result ? typed.refuse(problemOf(result)) : completed(result, next, request);
}

export const clientAction = keepForm;

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

function completed(
  { type, isSignedIn, isHalf }: Confirmed,
  next: string | undefined,
  request: Request,
) {
  if (type === "recovery") {
    return documentWithToast(withCookieCheck(href("/account/password"), request), {
      type: "success",
      message: "اختر الآن كلمة مرور جديدة",
    });
  }
  if (type === "email_change") {
    return documentWithToast(isSignedIn ? href("/account") : href("/auth"), {
      type: isHalf ? "info" : "success",
      message: isHalf ? "بقي تأكيد واحد" : "تغيّر بريدك الإلكتروني",
      description: isHalf
        ? "افتح الرسالة التي أرسلناها إلى العنوان الآخر وأكّد منها أيضًا."
        : "استعمل العنوان الجديد لتسجيل الدخول.",
    });
  }
  // Sign-up links have `next=/`. A signed-in account goes to the inbox.
  return documentWithToast(withCookieCheck(next && next !== "/" ? next : href("/admin"), request), {
    type: "success",
    message: type === "magiclink" ? "تم تسجيل الدخول بنجاح" : "تم تأكيد بريدك الإلكتروني",
  });
}

const pages = {
  signup: { title: "تأكيد البريد الإلكتروني", button: "تأكيد بريدي" },
  email: { title: "تأكيد البريد الإلكتروني", button: "تأكيد" },
  recovery: { title: "استعادة كلمة المرور", button: "اختيار كلمة مرور جديدة" },
  magiclink: { title: "تسجيل الدخول بالبريد", button: "تسجيل الدخول" },
  email_change: { title: "تأكيد تغيير البريد", button: "تأكيد التغيير" },
};

export function meta({ loaderData }: Route.MetaArgs) {
  return [
    { title: pages[loaderData?.type ?? "email"].title },
    { name: "robots", content: "noindex" },
  ];
}

export default function Confirm({ loaderData, actionData }: Route.ComponentProps) {
  const { type, hasLink, wasSent, email } = loaderData;
  const { title, button } = pages[type];
  const failure = actionData?.failure;
  const refused = useLastActionData(isOffline(actionData) ? undefined : actionData);
  const showsLink = hasLink && !refused;
  return (
    <CardPage title={title}>
      {wasSent && !actionData && (
        <Hint>
          <p className="font-bold">افتح بريدك</p>
          <p>
            إن كان لهذا العنوان حساب ينتظر هذه الرسالة فستصلك خلال دقائق، وفيها رابط ورمز. تفقّد
            البريد غير المرغوب أيضًا.
          </p>
        </Hint>
      )}
      {failure && <Failure>{failure}</Failure>}
      {showsLink ? (
        <>
          <p className="text-muted">اضغط الزر لإكمال ما طلبته. يعمل الرابط مرة واحدة.</p>
          <PostForm submit={button} failure={undefined} />
        </>
      ) : (
        <MailedCodeForm submit={button} email={email} result={actionData} />
      )}
      {!showsLink && <NewMailLink type={type} />}
      {!showsLink && (type === "signup" || type === "email") && (
        <ButtonLink href={href("/auth")}>تسجيل الدخول</ButtonLink>
      )}
    </CardPage>
  );
}

interface MailedCodeProps {
  submit: string;
  /** The address, if the visitor has just typed it. */
  email: string | undefined;
  result: FormResult<"email" | "code"> | undefined;
}

/** A form for a mail's code, for a mail that was opened on another device. */
function MailedCodeForm({ submit, email, result }: MailedCodeProps) {
  const { errors, values } = result ?? {};
  return (
    <div className="grid gap-4">
      <p className="text-muted">اكتب العنوان الذي وصلته الرسالة، والرمز الذي فيها.</p>
      <PostForm submit={submit} failure={undefined}>
        <EmailField
          autoComplete="username"
          defaultValue={values?.email ?? email}
          error={errors?.email}
        />
        <CodeField label="الرمز من الرسالة" required error={errors?.code} />
      </PostForm>
    </div>
  );
}

function NewMailLink({ type }: { type: keyof typeof pages }) {
  const target = {
    recovery: href("/auth/forgot"),
    email_change: href("/account/email"),
    magiclink: href("/auth"),
    signup: href("/auth/resend"),
    email: href("/auth/resend"),
  }[type];
  return (
    <a href={target} className={buttonClass("text")}>
      {target === href("/auth") ? "العودة إلى تسجيل الدخول" : "إرسال رسالة جديدة"}
    </a>
  );
}
