import { data, href, redirect } from "react-router";
import { redirectWithToast } from "remix-toast";
import { CardPage } from "#app/components/card-page.tsx";
import type { Notice } from "#app/components/toast-store.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import { errorText } from "#app/components/error-text.ts";
import { fieldErrors, textFields } from "#app/lib/form-errors.ts";
import { keepPage, keptHere } from "#app/hooks/offline-form.ts";
import { withNext } from "#app/lib/safe-path.ts";
import { getClaims } from "#app/session/guards.server.ts";
import { getAnonymousSupabase, getAttempts, getSupabase } from "#app/session/supabase.server.ts";
import { credentialsSchemas } from "#app/models/account.ts";
import { takeAttempt } from "#app/models/attempts.server.ts";
import { type Refusal, refusalInit, refusalOf } from "#app/models/refusal.ts";
import { endReplacedSession, getAccessToken } from "#app/models/sessions.server.ts";
import type { Route } from "./+types/auth.ts";
import { refusalText } from "./auth-errors.ts";
import { CheckMailHint } from "./check-mail-hint.tsx";
import { CookiesHint } from "./cookies-hint.tsx";
import { CredentialsForm, type CredentialsResult } from "./credentials-form.tsx";
import { nextOf, withCookieCheck } from "./next.server.ts";
import { sessionScript } from "./session-script.ts";

const modeOf = (url: URL) =>
  url.searchParams.get("mode") === "sign-up" ? ("sign-up" as const) : ("sign-in" as const);

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const next = nextOf(url, context);
  if (await getClaims(request, context)) {
    throw redirect(next ?? href("/admin"));
  }
  return {
    mode: modeOf(url),
    next,
    checkMail: url.searchParams.has("check-mail"),
    lostSession: url.searchParams.has("signed-in"),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const values = textFields(await request.formData(), ["email", "password"]);
  const mode = modeOf(url);
  const result = credentialsSchemas[mode].safeParse(values);
  if (!result.success) {
    const errors = fieldErrors(result.error);
    const toast = failed("خطأ في البيانات", result.error.issues[0]?.message);
    return data<CredentialsResult>({ email: values.email, errors, toast }, { status: 400 });
  }
  const limited = await takeAttempt(getAttempts(context), mode, result.data.email);
  if (limited) {
    return refuse(values.email, limited, refusalText(limited));
  }

  const supabase = getSupabase(context);
  const { auth } = supabase;
  const previous = await getAccessToken(supabase);
  const answer =
    mode === "sign-up"
      ? await auth.signUp({
          ...result.data,
          options: { emailRedirectTo: new URL(href("/"), context.get(siteContext).url).href },
        })
      : await auth.signInWithPassword(result.data);
  if (answer.error) {
    return refuse(values.email, refusalOf(answer.error), answer.error.message);
  }
  if (answer.data.session) {
    await endReplacedSession(getAnonymousSupabase(context), previous);
  }

  const next = nextOf(url, context);
  if (mode === "sign-up") {
    // Where addresses need no confirmation the new account is signed in at once.
    const target = answer.data.session
      ? withCookieCheck(next ?? href("/admin"), request)
      : `${href("/auth")}?check-mail`;
    return redirectWithToast(target, {
      type: "success",
      message: "تم إنشاء الحساب بنجاح",
      description: "يمكنك الآن تسجيل الدخول",
    });
  }
  const { factors = [] } = answer.data.user ?? {};
  if (factors.some(({ status }) => status === "verified")) {
    return redirect(withCookieCheck(withNext(href("/auth/code"), next), request));
  }
  return redirectWithToast(withCookieCheck(next ?? href("/admin"), request), {
    type: "success",
    message: "تم تسجيل الدخول بنجاح",
  });
}

function refuse(email: string, refusal: Refusal, description: string) {
  return data<CredentialsResult>(
    {
      email,
      errors: {},
      explanation: refusalText(refusal),
      isUnconfirmed: refusal.code === "email_not_confirmed",
      toast: failed("حدث خطأ", description),
    },
    refusalInit(refusal),
  );
}

const failed = (message: string, description: string | undefined): Notice => ({
  type: "error",
  message,
  description,
});

/** Any error of sign-in or sign-up is told so (specification, section 8), also one on the way. */
export const clientAction = (sending: Route.ClientActionArgs) =>
  keepPage(sending, ({ email = "" }, reason, error): CredentialsResult => ({
    email,
    errors: {},
    explanation: `${reason} ${keptHere}`,
    toast: failed("حدث خطأ", errorText(error)),
  }));

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

const titles = { "sign-in": "تسجيل الدخول", "sign-up": "إنشاء حساب" };

export function meta({ loaderData }: Route.MetaArgs) {
  return [
    { title: titles[loaderData?.mode ?? "sign-in"] },
    { name: "description", content: "الدخول إلى لوحة رسائل الموقع" },
  ];
}

export default function Auth({ loaderData, actionData }: Route.ComponentProps) {
  const { mode, next, checkMail, lostSession } = loaderData;
  return (
    <>
      <CardPage title={titles[mode]}>
        {checkMail && <CheckMailHint />}
        {lostSession && !actionData && <CookiesHint />}
        <CredentialsForm mode={mode} next={next} title={titles[mode]} refusal={actionData} />
      </CardPage>
      <script dangerouslySetInnerHTML={{ __html: sessionScript }} />
    </>
  );
}
