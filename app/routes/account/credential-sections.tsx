import { href } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { Hint } from "#app/components/form-parts.tsx";
import { SectionCard } from "./section-card.tsx";

export function EmailSection({ email, newEmail }: { email: string; newEmail: string | undefined }) {
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
              className="font-semibold text-brand underline underline-offset-4"
            >
              اكتب الرمز هنا
            </a>
            .
          </p>
        </Hint>
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
