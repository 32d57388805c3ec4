import { data, href, redirect } from "react-router";
import { redirectWithToast } from "remix-toast";
import type { Notice } from "../../components/toasts.tsx";
import { siteContext } from "../../context.ts";
import { fieldErrors, textFields } from "../../lib/form-errors.ts";
import { sessionScript } from "../../lib/session-sync.ts";
import { getClaims } from "../../middleware/account.ts";
import { getSupabase } from "../../middleware/supabase.ts";
import { credentialsSchema } from "../../models/account.ts";
import type { Route } from "./+types/auth.ts";
import { authErrorText } from "./auth-errors.ts";
import { CredentialsForm } from "./credentials-form.tsx";

const modeOf = (url: URL) =>
  url.searchParams.get("mode") === "sign-up" ? ("sign-up" as const) : ("sign-in" as const);

export async function loader({ request, context, url }: Route.LoaderArgs) {
  if (await getClaims(request, context)) throw redirect(href("/admin"));
  return { mode: modeOf(url) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const values = textFields(await request.formData(), ["email", "password"]);
  const result = credentialsSchema.safeParse(values);
  if (!result.success) {
    const errors = fieldErrors(result.error);
    const description = result.error.issues[0]?.message;
    return refuse(400, { email: values.email, errors, toast: invalid(description) });
  }
  const { auth } = getSupabase(context);
  const mode = modeOf(url);
  const answer =
    mode === "sign-up"
      ? await auth.signUp({
          ...result.data,
          options: { emailRedirectTo: new URL(href("/"), context.get(siteContext).url).href },
        })
      : await auth.signInWithPassword(result.data);
  if (answer.error) {
    const { message, code, status = 400 } = answer.error;
    const toast: Notice = { type: "error", message: "حدث خطأ", description: message };
    const explanation = authErrorText(code);
    return refuse(status || 503, { email: values.email, errors: {}, explanation, toast });
  }
  if (mode === "sign-in") {
    return redirectWithToast(href("/admin"), {
      type: "success",
      message: "تم تسجيل الدخول بنجاح",
    });
  }
  // Where addresses need no confirmation the new account is signed in at once.
  return redirectWithToast(answer.data.session ? href("/admin") : href("/auth"), {
    type: "success",
    message: "تم إنشاء الحساب بنجاح",
    description: "يمكنك الآن تسجيل الدخول",
  });
}

interface Refusal {
  email: string;
  errors: { email?: string; password?: string };
  explanation?: string;
  toast: Notice;
}

const refuse = (status: number, refusal: Refusal) => data(refusal, { status });

const invalid = (description: string | undefined): Notice => ({
  type: "error",
  message: "خطأ في البيانات",
  description,
});

const titles = { "sign-in": "تسجيل الدخول", "sign-up": "إنشاء حساب" };

export function meta({ loaderData }: Route.MetaArgs) {
  return [
    { title: titles[loaderData?.mode ?? "sign-in"] },
    { name: "description", content: "الدخول إلى لوحة رسائل الموقع" },
  ];
}

export default function Auth({ loaderData: { mode }, actionData }: Route.ComponentProps) {
  return (
    <main className="mx-auto grid min-h-svh max-w-md content-center gap-6 p-4 py-10">
      <section className="overflow-hidden rounded-3xl border border-line bg-surface shadow-sm">
        <div className="lattice h-20" />
        <div className="grid gap-6 p-5 sm:p-8">
          <h1 className="text-3xl font-extrabold">{titles[mode]}</h1>
          <CredentialsForm key={mode} mode={mode} title={titles[mode]} refusal={actionData} />
        </div>
      </section>
      <script dangerouslySetInnerHTML={{ __html: sessionScript }} />
    </main>
  );
}
