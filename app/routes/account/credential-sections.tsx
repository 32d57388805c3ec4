import { href } from "react-router";
import { ButtonForm } from "#app/components/button-form.tsx";
import { buttonClass } from "#app/components/button.ts";
import { Hint } from "#app/components/form-parts.tsx";
import { RowLink } from "./row.tsx";
import { Section } from "./section.tsx";

interface EmailProps {
  email: string;
  offersVerification: boolean;
  newEmail: string | undefined;
}

export function EmailSection({ email, offersVerification, newEmail }: EmailProps) {
  return (
    <Section
      id="email"
      title="البريد الإلكتروني"
      text={<bdi dir="ltr">{email}</bdi>}
      action={
        <RowLink href={href("/account/email")} aria-label="تغيير البريد">
          تغيير
        </RowLink>
      }
    >
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
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <p className="flex-1 basis-56 text-muted">
            لم تؤكّد هذا العنوان بعد. إن كان فيه خطأ إملائي فصاحبه يصل إلى حسابك.
          </p>
          <ButtonForm>
            <button
              type="submit"
              name="action"
              value="confirm-email"
              className={buttonClass("text", "-mx-4")}
            >
              إرسال رسالة تأكيد
            </button>
          </ButtonForm>
        </div>
      )}
    </Section>
  );
}

export const DeletionSection = () => (
  <Section
    id="deletion"
    title="حذف الحساب"
    text="يُحذف كل ما يخص حسابك، بعد كلمة مرورك."
    action={
      <RowLink href={href("/account/delete")} aria-label="حذف حسابي">
        حذف
      </RowLink>
    }
  />
);

export const PasswordSection = () => (
  <Section
    id="password"
    title="كلمة المرور"
    text="تغييرها ينهي جلساتك على الأجهزة الأخرى."
    action={
      <RowLink href={href("/account/password")} aria-label="تغيير كلمة المرور">
        تغيير
      </RowLink>
    }
  />
);
