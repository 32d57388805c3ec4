import { href } from "react-router";
import type { AccountFactor } from "#app/models/account/current-account.ts";
import { Row, RowLink } from "./row.tsx";
import { Section } from "./section.tsx";

interface Props {
  factors: (AccountFactor & { date: string })[];
}

/** By the number of apps. Somebody who loses the only one needs the help of the person who runs the site. */
const texts = [
  "أضف تطبيق مصادقة على هاتفك، فلا تكفي كلمة المرور وحدها للدخول إلى حسابك.",
  "مفعّل. أضف تطبيقًا ثانيًا على جهاز آخر، فتدخل به إن فقدت الأول.",
  "مفعّل: لا تكفي كلمة المرور وحدها للدخول إلى حسابك.",
];

export function FactorsSection({ factors }: Props) {
  const isOn = factors.length > 0;
  return (
    <Section
      id="factors"
      title="التحقق بخطوتين"
      text={texts[Math.min(factors.length, 2)]}
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
      )}
    </Section>
  );
}
