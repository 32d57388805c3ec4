import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Form, href, Link } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { EmailField, Failure, PasswordField } from "#app/components/form-parts.tsx";
import { type Notice, showToast } from "#app/components/toast-store.ts";
import { PageNotice, Toast } from "#app/components/toasts.tsx";
import { focusWrong, useBusyForm } from "#app/hooks/use-busy-form.ts";
import { fieldErrors, textFields } from "#app/lib/form-errors.ts";
import { credentialsSchemas } from "#app/models/account.ts";

export interface CredentialsResult {
  email: string;
  errors: { email?: string; password?: string };
  explanation?: string;
  /** The account's address waits for its confirmation. */
  isUnconfirmed?: boolean;
  toast: Notice;
}

interface Props {
  mode: "sign-in" | "sign-up";
  next: string | undefined;
  title: string;
  refusal: CredentialsResult | undefined;
}

const toggles = {
  "sign-in": { label: "ليس لديك حساب؟ سجل الآن", mode: { mode: "sign-up" } },
  "sign-up": { label: "لديك حساب؟ سجل الدخول", mode: {} },
};

export function CredentialsForm({ mode, next, title, refusal }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const busy = useBusyForm(() => focusWrong(form.current));
  // What the page came with stays a part of it: nothing of this page starts scripts before the
  // form is touched, and then it must not move under the finger.
  const [firstRefusal] = useState(refusal);
  // The field keeps what is typed; a default that goes away with its refusal would empty it.
  const firstEmail = firstRefusal?.email;
  const [found, setFound] = useState({ mode, refusal, errors: refusal?.errors });
  // What the server says later outweighs what was found here, and so does a change of mode.
  if (found.mode !== mode || found.refusal !== refusal) {
    setFound({ mode, refusal, errors: refusal?.errors });
  }
  const errors = found.errors ?? {};
  const { label, mode: other } = toggles[mode];
  const search = new URLSearchParams({ ...other, ...(next && { next }) }).toString();

  /** Checks before any request, as the specification asks: what is wrong is not sent. */
  function check(event: FormEvent<HTMLFormElement>) {
    const values = textFields(new FormData(event.currentTarget), ["email", "password"]);
    const { success, error } = credentialsSchemas[mode].safeParse(values);
    if (success) {
      return;
    }
    event.preventDefault();
    flushSync(() => setFound({ mode, refusal, errors: fieldErrors(error) }));
    focusWrong(form.current);
    showToast({
      type: "error",
      message: "خطأ في البيانات",
      description: error.issues[0]?.message,
    });
  }

  return (
    <>
      {refusal && refusal === firstRefusal ? (
        <Toast toast={refusal.toast} />
      ) : (
        <PageNotice toast={refusal?.toast} />
      )}
      <Form ref={form} method="post" onSubmit={check}>
        <fieldset disabled={busy} className="grid gap-5">
          <EmailField autoComplete="username" defaultValue={firstEmail} error={errors.email} />
          <PasswordField
            label="كلمة المرور"
            name="password"
            autoComplete={mode === "sign-up" ? "new-password" : "current-password"}
            required
            error={errors.password}
          />
          {refusal?.explanation && (
            <Failure>
              {refusal.explanation}{" "}
              {refusal.isUnconfirmed && (
                <a href={href("/auth/resend")} className="underline underline-offset-4">
                  أعد إرسال رسالة التأكيد
                </a>
              )}
            </Failure>
          )}
          <button type="submit" className={buttonClass("primary", "min-h-14 text-lg")}>
            {busy ? "جاري التحميل..." : title}
          </button>
        </fieldset>
      </Form>
      <div onClickCapture={(event) => busy && event.preventDefault()} className="grid gap-3">
        {mode === "sign-in" && (
          <a href={href("/auth/forgot")} aria-disabled={busy} className={buttonClass("text")}>
            نسيت كلمة المرور؟
          </a>
        )}
        <Link
          to={{ pathname: href("/auth"), search }}
          aria-disabled={busy}
          className={buttonClass("text")}
        >
          {label}
        </Link>
        <a href={href("/")} aria-disabled={busy} className={buttonClass("quiet")}>
          العودة للرئيسية
        </a>
      </div>
    </>
  );
}
