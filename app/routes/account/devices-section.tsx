import { buttonClass } from "#app/components/button.ts";
import { ButtonForm } from "#app/components/post-form.tsx";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import type { AccountSession } from "#app/models/sessions.server.ts";
import { SectionCard } from "./section-card.tsx";

export const unknownDevice = "جهاز غير معروف";

interface DevicesSectionProps {
  sessions: AccountSession[];
  /** The number of sessions that are not in `sessions`. */
  unlisted: number;
}

export function DevicesSection({ sessions, unlisted }: DevicesSectionProps) {
  return (
    <SectionCard id="devices" title="الأجهزة" wide>
      <p className="text-muted">أين سُجّل الدخول إلى حسابك. أنهِ كل جلسة لا تعرفها.</p>
      <ul aria-labelledby="devices" className="divide-y divide-line">
        {sessions.map(({ id, device, usedAt, date, isCurrent }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <div className="min-w-0">
              <p className="font-bold">
                <bdi>{device ?? unknownDevice}</bdi>
              </p>
              <p className="text-sm text-muted">
                آخر استخدام: <time dateTime={usedAt}>{date}</time>
              </p>
            </div>
            {isCurrent ? (
              <span className="rounded-full bg-tint px-4 py-1 text-sm font-bold text-brand">
                هذا الجهاز
              </span>
            ) : (
              <EndButton session={id} label={`إنهاء جلسة ${device ?? unknownDevice}`}>
                إنهاء
              </EndButton>
            )}
          </li>
        ))}
      </ul>
      {unlisted > 0 && (
        <p className="text-muted">جلسات أقدم لا تظهر هنا: {arabicNumber(unlisted)}</p>
      )}
      {sessions.length > 1 && (
        <EndButton session="others" label={undefined}>
          إنهاء كل الجلسات الأخرى
        </EndButton>
      )}
    </SectionCard>
  );
}

interface EndButtonProps {
  session: string;
  label: string | undefined;
  children: string;
}

function EndButton({ session, label, children }: EndButtonProps) {
  return (
    <ButtonForm className="self-start">
      <button
        type="submit"
        name="session"
        value={session}
        aria-label={label}
        className={buttonClass("quiet")}
      >
        {children}
      </button>
    </ButtonForm>
  );
}
