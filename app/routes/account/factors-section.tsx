import { href } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import type { AccountFactor } from "#app/models/account.ts";
import { SectionCard } from "./section-card.tsx";

interface Props {
  factors: (AccountFactor & { date: string })[];
  codesLeft: number | undefined;
}

export function FactorsSection({ factors, codesLeft }: Props) {
  const isOn = factors.length > 0;
  return (
    <SectionCard id="factors" title="التحقق بخطوتين" wide>
      <p className="text-muted">
        {isOn
          ? "مفعّل: لا تكفي كلمة المرور وحدها للدخول إلى حسابك."
          : "أضف تطبيق مصادقة على هاتفك، فلا تكفي كلمة المرور وحدها للدخول إلى حسابك."}
      </p>
      {isOn && (
        <ul aria-label="تطبيقات المصادقة" className="divide-y divide-line">
          {factors.map(({ id, name, createdAt, date }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <div className="min-w-0">
                <p className="font-bold wrap-anywhere">
                  <bdi>{name}</bdi>
                </p>
                <p className="text-sm text-muted">
                  أُضيف في <time dateTime={createdAt}>{date}</time>
                </p>
              </div>
              <a
                href={href("/account/factors/:id/remove", { id })}
                aria-label={`إزالة ${name}`}
                className={buttonClass("quiet")}
              >
                إزالة
              </a>
            </li>
          ))}
        </ul>
      )}
      {codesLeft !== undefined && (
        <p>
          رموز الاسترداد الباقية: <strong>{arabicNumber(codesLeft)}</strong>
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <a href={href("/account/factors/new")} className={buttonClass(isOn ? "quiet" : "primary")}>
          {isOn ? "إضافة تطبيق آخر" : "تفعيل التحقق بخطوتين"}
        </a>
        {isOn && (
          <a href={href("/account/recovery-codes")} className={buttonClass("quiet")}>
            رموز استرداد جديدة
          </a>
        )}
      </div>
    </SectionCard>
  );
}
