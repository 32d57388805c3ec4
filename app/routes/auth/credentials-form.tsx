import { type FormEvent, type MouseEvent, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { href, useLocation, useNavigate } from "react-router";
import { ButtonLink } from "#app/components/button-link.tsx";
import { buttonClass } from "#app/components/button.ts";
import { errorText } from "#app/components/error-text.ts";
import { EmailField, PasswordField } from "#app/components/form-parts.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { showToast, type ToastMessage } from "#app/components/toast-store.ts";
import { PageToast } from "#app/components/toasts.tsx";
import { isOffline } from "#app/hooks/keep-form.ts";
import { focusWrong } from "#app/hooks/use-busy.ts";
import { fieldErrors, type FormResult, textFields } from "#app/lib/form-errors.ts";
import { credentialsSchemas } from "#app/models/account/schemas.ts";
import type { Mode } from "./mode.ts";

export interface CredentialsResult extends FormResult<"email" | "password"> {
  isUnconfirmed?: boolean;
  toast?: ToastMessage;
}

interface Props {
  mode: Mode;
  next: string | undefined;
  title: string;
  result: CredentialsResult | undefined;
}

/** The errors of a check in the browser, with the page's location and result at that time. */
type Checked = Pick<Props, "result"> & Pick<CredentialsResult, "errors"> & { key: string };

export const toggleName = "toggle";

const toggles = {
  "sign-in": { label: "ليس لديك حساب؟ سجل الآن", mode: { mode: "sign-up" } },
  "sign-up": { label: "لديك حساب؟ سجل الدخول", mode: {} },
};

export function CredentialsForm({ mode, next, title, result }: Props) {
  // This is the value of the first result, because a default value that disappears would empty the field.
  const [firstEmail] = useState(result?.values?.email);
  const [checked, setChecked] = useState<Checked>();
  const { key } = useLocation();
  // A new result or page replaces the errors of the check in the browser.
  const isLatest = checked?.key === key && checked.result === result;
  const errors = (isLatest ? checked.errors : result?.errors) ?? {};
  const toast = useMemo(() => toastOf(result), [result]);

  /** Validates in the browser before any request. */
  function check(event: FormEvent<HTMLFormElement>) {
    const form = event.currentTarget;
    const values = textFields(new FormData(form), ["email", "password"]);
    const { success, error } = credentialsSchemas[mode].safeParse(values);
    if (success) {
      return;
    }
    event.preventDefault();
    flushSync(() => setChecked({ key, result, errors: fieldErrors(error) }));
    focusWrong(form);
    showToast({
      type: "error",
      message: "خطأ في البيانات",
      description: error.issues[0]?.message,
    });
  }

  return (
    <>
      <PageToast toast={toast} />
      <PostForm
        submit={title}
        failure={result?.failure && <CredentialsFailure {...result} />}
        onSubmit={check}
        buttons={<OtherWays mode={mode} next={next} />}
      >
        <EmailField autoComplete="username" defaultValue={firstEmail} error={errors.email} />
        <PasswordField
          label="كلمة المرور"
          name="password"
          autoComplete={mode === "sign-up" ? "new-password" : "current-password"}
          required
          error={errors.password}
        />
      </PostForm>
    </>
  );
}

/** Links and buttons below the form: a new password, the other mode, home. */
function OtherWays({ mode, next }: Pick<Props, "mode" | "next">) {
  const navigate = useNavigate();
  const { label, mode: other } = toggles[mode];
  const search = new URLSearchParams({ ...other, ...(next && { next }) });
  const target = href("/auth") + (String(search) ? `?${search}` : "");
  function toggle(event: MouseEvent) {
    event.preventDefault();
    void navigate(target, { preventScrollReset: true });
  }
  return (
    <>
      {mode === "sign-in" && (
        <ButtonLink href={href("/auth/forgot")} className={buttonClass("text")}>
          نسيت كلمة المرور؟
        </ButtonLink>
      )}
      {/* Without scripts it posts the typed address to the other mode. */}
      <button
        type="submit"
        formAction={target}
        formNoValidate
        name={toggleName}
        onClick={toggle}
        className={buttonClass("text")}
      >
        {label}
      </button>
      <ButtonLink href={href("/")}>العودة إلى الرئيسية</ButtonLink>
    </>
  );
}

function CredentialsFailure({ failure, isUnconfirmed }: CredentialsResult) {
  return (
    <>
      {failure}{" "}
      {isUnconfirmed && (
        <a href={href("/auth/resend")} className="underline underline-offset-4">
          إعادة إرسال رسالة التأكيد
        </a>
      )}
    </>
  );
}

/** Every error of a sign-in or sign-up is a toast. */
function toastOf(result: CredentialsResult | undefined): ToastMessage | undefined {
  return isOffline(result)
    ? { type: "error", message: "حدث خطأ", description: errorText(result.offlineError) }
    : result?.toast;
}
