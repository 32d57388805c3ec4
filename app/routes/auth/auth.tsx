import {
  data,
  href,
  redirect,
  redirectDocument,
  type ShouldRevalidateFunctionArgs,
  useLocation,
} from "react-router";
import { CardPage } from "#app/components/card-page.tsx";
import { Failure, Hint } from "#app/components/form-parts.tsx";
import type { ToastMessage } from "#app/components/toast-store.ts";
import { keepForm } from "#app/hooks/keep-form.ts";
import { textFields } from "#app/lib/form-errors.ts";
import { withNext } from "#app/lib/safe-path.ts";
import { clearAttempts, takeAttempt } from "#app/models/account/attempts.server.ts";
import { type AuthRefusal, refusalOf } from "#app/models/account/refusal.ts";
import { credentialsSchemas } from "#app/models/account/schemas.ts";
import { endReplacedSession, getAccessToken } from "#app/models/account/sessions.server.ts";
import { signIn } from "#app/models/account/sign-in.server.ts";
import { problemOf, readForm, showAgain } from "#app/routes/form.server.ts";
import { getClaims } from "#app/session/claims.server.ts";
import { getSeparateSupabase, getAttempts, getSupabase } from "#app/session/clients.server.ts";
import { documentWithToast } from "#app/session/redirects.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import type { Route } from "./+types/auth.ts";
import { refusalText } from "./auth-errors.ts";
import { CredentialsForm, type CredentialsResult, toggleName } from "./credentials-form.tsx";
import { isHiddenMailError } from "./hidden-mail-error.server.ts";
import { isModeChange, modeOf } from "./mode.ts";
import { nextOf, withCookieCheck } from "./next.server.ts";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const next = nextOf(url, context);
  if (await getClaims(request, context)) {
    throw redirectDocument(next ?? href("/admin"));
  }
  return { next, lostSession: url.searchParams.has("signed-in") };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const mode = modeOf(url.search);
  const fields = await request.formData();
  if (fields.has(toggleName)) {
    return showAgain<"email" | "password">({}, textFields(fields, ["email"]));
  }
  const form = readForm(fields, credentialsSchemas[mode], { keep: ["email"] });
  if (!form.ok) {
    const { errors } = form.refused.data;
    return withToast(form.refused, "خطأ في البيانات", errors.email ?? errors.password);
  }
  const refuse = (refusal: AuthRefusal, description: string) => {
    const { data: result, init } = form.refuse(problemOf(refusal));
    const isUnconfirmed = refusal.code === "email_not_confirmed";
    return withToast({ data: { ...result, isUnconfirmed }, init }, "حدث خطأ", description);
  };
  const limited = await takeAttempt(getAttempts(context), mode, form.data.email);
  if (limited) {
    // The description is the text of the authentication service, which has none for an attempt that was not counted.
    const isTooMany = limited.status === 429;
    return refuse(limited, isTooMany ? "Request rate limit reached" : refusalText(limited));
  }

  const supabase = getSupabase(context);
  const { auth } = supabase;
  const previous = await getAccessToken(supabase);
  const answer =
    mode === "sign-up"
      ? await auth.signUp({
          ...form.data,
          options: { emailRedirectTo: new URL(href("/"), context.get(siteContext).url).href },
        })
      : await signIn(supabase, form.data.email, form.data.password);
  if (answer.error && !(mode === "sign-up" && isHiddenMailError(answer.error))) {
    return refuse(refusalOf(answer.error), answer.error.message);
  }
  if (mode === "sign-in") {
    await clearAttempts(getAttempts(context), mode, form.data.email);
  }
  if (answer.data.session) {
    await endReplacedSession(getSeparateSupabase(context), previous);
  }

  const next = nextOf(url, context);
  if (mode === "sign-up") {
    // Without address confirmation the new account is signed in.
    const target = answer.data.session
      ? withCookieCheck(next ?? href("/admin"), request)
      : `${href("/auth")}?check-mail`;
    return documentWithToast(target, {
      type: "success",
      message: "تم إنشاء الحساب بنجاح",
      description: "يمكنك الآن تسجيل الدخول",
    });
  }
  const { factors = [] } = answer.data.user ?? {};
  if (factors.some(({ status }) => status === "verified")) {
    const code = withNext(href("/auth/code"), nextOf(url, context));
    return redirect(withCookieCheck(code, request));
  }
  return documentWithToast(withCookieCheck(next ?? href("/admin"), request), {
    type: "success",
    message: "تم تسجيل الدخول بنجاح",
  });
}

export const clientAction = keepForm;

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

function withToast(
  { data: result, init }: { data: CredentialsResult; init: ResponseInit | null },
  message: string,
  description: string | undefined,
) {
  const toast: ToastMessage = { type: "error", message, description };
  return data<CredentialsResult>({ ...result, toast }, init ?? {});
}

export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) =>
  change.defaultShouldRevalidate && !isModeChange(change);

const titles = { "sign-in": "تسجيل الدخول", "sign-up": "إنشاء حساب" };

export function meta({ location }: Route.MetaArgs) {
  return [
    { title: titles[modeOf(location.search)] },
    { name: "description", content: "الدخول إلى لوحة رسائل الموقع" },
  ];
}

export default function Auth({ loaderData, actionData }: Route.ComponentProps) {
  const { search } = useLocation();
  const mode = modeOf(search);
  return (
    <CardPage title={titles[mode]}>
      {new URLSearchParams(search).has("check-mail") && <CheckMailHint />}
      {loaderData.lostSession && !actionData && <CookiesHint />}
      <CredentialsForm
        mode={mode}
        next={loaderData.next}
        title={titles[mode]}
        result={actionData}
      />
    </CardPage>
  );
}

const link = "font-bold text-brand underline underline-offset-4";

/** Shown after a sign-up that needs confirmation, also if the address already has an account. */
function CheckMailHint() {
  return (
    <Hint>
      <p className="font-bold">افتح بريدك لتأكيد الحساب</p>
      <p>
        أرسلنا إليك رسالة فيها رابط ورمز. افتح الرابط، أو{" "}
        <a href={`${href("/auth/confirm")}?type=signup`} className={link}>
          اكتب الرمز هنا
        </a>
        . لم تصل؟{" "}
        <a href={href("/auth/resend")} className={link}>
          أعد إرسالها
        </a>
        .
      </p>
    </Hint>
  );
}

function CookiesHint() {
  return (
    <Failure>
      <strong className="block">متصفحك يمنع ملفات تعريف الارتباط (cookies)</strong>
      بريدك وكلمة مرورك صحيحان، لكن متصفحك لم يحفظ الجلسة، والدخول لا يكتمل من دونها. افتح إعدادات
      الموقع من الرمز الذي بجانب العنوان، واسمح بملفات تعريف الارتباط لهذا الموقع، ثم سجّل الدخول من
      جديد.
    </Failure>
  );
}
