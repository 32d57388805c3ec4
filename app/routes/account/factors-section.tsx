import { href } from "react-router";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import type { AccountFactor } from "#app/models/account.ts";
import { Row, RowLink } from "./row.tsx";
import { Section } from "./section.tsx";

interface Props {
  factors: (AccountFactor & { date: string })[];
  codesLeft: number | undefined;
}

export function FactorsSection({ factors, codesLeft }: Props) {
  const isOn = factors.length > 0;
  return (
    <Section
      id="factors"
      title="التحقق بخطوتين"
      text={
        isOn
          ? "مفعّل: لا تكفي كلمة المرور وحدها للدخول إلى حسابك."
          : "أضف تطبيق مصادقة على هاتفك، فلا تكفي كلمة المرور وحدها للدخول إلى حسابك."
      }
      action={
        <RowLink
          href={href("/account/factors/new")}
          aria-label={isOn ? "إضافة تطبيق آخر" : "تفعيل التحقق بخطوتين"}
        >
          {isOn ? "إضافة" : "تفعيل"}
        </RowLink>
      }
    >
      {isOn && (
        <div className="divide-y divide-line">
          <ul aria-label="تطبيقات المصادقة" className="divide-y divide-line">
            {factors.map(({ id, name, createdAt, date }) => (
              <Row
                key={id}
                title={name}
                action={
                  <RowLink
                    href={href("/account/factors/:id/remove", { id })}
                    aria-label={`إزالة ${name}`}
                  >
                    إزالة
                  </RowLink>
                }
              >
                أُضيف في <time dateTime={createdAt}>{date}</time>
              </Row>
            ))}
          </ul>
          <div className="flex items-center justify-between gap-4 pt-3">
            <p>رموز الاسترداد الباقية: {arabicNumber(codesLeft ?? 0)}</p>
            <RowLink href={href("/account/recovery-codes")}>رموز استرداد جديدة</RowLink>
          </div>
        </div>
      )}
    </Section>
  );
}
