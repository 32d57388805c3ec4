import { href } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { Hint } from "#app/components/form-parts.tsx";
import { ButtonForm } from "#app/components/post-form.tsx";
import { SectionCard } from "./section-card.tsx";

interface EmailProps {
  email: string;
  offersVerification: boolean;
  newEmail: string | undefined;
}

export function EmailSection({ email, offersVerification, newEmail }: EmailProps) {
  return (
    <SectionCard id="email" title="البريد الإلكتروني">
      <p className="wrap-anywhere">
        <bdi dir="ltr">{email}</bdi>
      </p>
      {newEmail && (
        <Hint>
          <p>
            ينتظر <bdi dir="ltr">{newEmail}</bdi> التأكيد. افتح الرابط الذي في بريدك، أو{" "}
            <a
              href={`${href("/auth/confirm")}?type=email_change`}
              className="font-bold text-brand underline underline-offset-4"
            >
              اكتب الرمز هنا
            </a>
            .
          </p>
        </Hint>
      )}
      {offersVerification && (
        <div className="grid gap-3 rounded-xl bg-tint p-4">
          <p>لم تؤكّد هذا العنوان بعد. إلى أن تؤكّده يستطيع من يقرأ بريده أن يأخذ الحساب.</p>
          <ButtonForm className="justify-self-start">
            <button type="submit" name="confirm-email" value="yes" className={buttonClass("quiet")}>
              تأكيد البريد برسالة
            </button>
          </ButtonForm>
        </div>
      )}
      <a href={href("/account/email")} className={buttonClass("quiet", "mt-auto self-start")}>
        تغيير البريد
      </a>
    </SectionCard>
  );
}

export function PasswordSection() {
  return (
    <SectionCard id="password" title="كلمة المرور">
      <p className="text-muted">تغييرها ينهي جلساتك على الأجهزة الأخرى.</p>
      <a href={href("/account/password")} className={buttonClass("quiet", "mt-auto self-start")}>
        تغيير كلمة المرور
      </a>
    </SectionCard>
  );
}
