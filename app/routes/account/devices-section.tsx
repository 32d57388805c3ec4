import { href } from "react-router";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import type { AccountSession } from "#app/models/account/sessions.server.ts";
import { Row, RowLink } from "./row.tsx";
import { Section } from "./section.tsx";

export const unknownDevice = "جهاز غير معروف";

interface DevicesSectionProps {
  sessions: AccountSession[];
  /** The number of sessions that are not in `sessions`. */
  unlisted: number;
}

export function DevicesSection({ sessions, unlisted }: DevicesSectionProps) {
  return (
    <Section
      id="devices"
      title="الأجهزة"
      text="الأجهزة التي سُجّل منها الدخول إلى حسابك. أنهِ كل جلسة لا تعرفها."
    >
      <ul aria-labelledby="devices" className="divide-y divide-line">
        {sessions.map(({ id, device = unknownDevice, usedAt, date, isCurrent }) => (
          <Row
            key={id}
            title={device}
            action={
              isCurrent ? (
                <span className="flex-none text-sm text-muted">هذا الجهاز</span>
              ) : (
                <RowLink
                  href={href("/account/sessions/:id/end", { id })}
                  aria-label={`إنهاء جلسة ${device}`}
                >
                  إنهاء
                </RowLink>
              )
            }
          >
            آخر استخدام: <time dateTime={usedAt}>{date}</time>
          </Row>
        ))}
      </ul>
      {unlisted > 0 && (
        <p className="text-muted">جلسات أقدم لا تظهر هنا: {arabicNumber(unlisted)}</p>
      )}
      {sessions.length > 1 && (
        <p className="justify-self-end">
          <RowLink href={href("/account/sessions/:id/end", { id: "others" })}>
            إنهاء كل الجلسات الأخرى
          </RowLink>
        </p>
      )}
    </Section>
  );
}
