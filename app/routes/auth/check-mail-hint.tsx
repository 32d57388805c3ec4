import { href } from "react-router";
import { Hint } from "#app/components/form-parts.tsx";

const link = "font-semibold text-brand underline underline-offset-4";

/** Shown after a sign-up that needs confirmation, also if the address already has an account. */
export function CheckMailHint() {
  return (
    <Hint>
      <p className="font-semibold">افتح بريدك لتأكيد الحساب</p>
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
