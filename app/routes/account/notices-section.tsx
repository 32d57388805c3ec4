import type { ReactNode } from "react";
import { buttonClass } from "#app/components/button.ts";
import { ButtonForm } from "#app/components/post-form.tsx";
import type { NoticeWayState } from "#app/models/notices.server.ts";
import { PushDevices, type PushDevicesProps } from "./push-devices.tsx";
import { SectionCard } from "./section-card.tsx";

interface NoticesProps extends PushDevicesProps {
  ways: NoticeWayState[];
  /** The account's, which the mails go to, and whether its holder has proved to read it. */
  email: string;
  isVerified: boolean;
}

export function NoticesSection({ ways, email, isVerified, ...push }: NoticesProps) {
  return (
    <SectionCard id="notices" title="التنبيهات" wide>
      {ways.length === 0 ? (
        <p>
          لا طريقة تنبّهك بالرسائل الجديدة. شغّل تنبيهات هذا الجهاز، أو حدّد بريدك الصادر في إعدادي{" "}
          <bdi dir="ltr">SMTP_URL</bdi> و<bdi dir="ltr">MAIL_FROM</bdi>، أو عنوان خدمة تنبيه في{" "}
          <bdi dir="ltr">NOTICE_URL</bdi>.
        </p>
      ) : (
        <ul aria-labelledby="notices" className="divide-y divide-line">
          {ways.map((way) => (
            <li key={way.way} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <Way {...way}>
                {way.way === "mail" && <Target email={email} isVerified={isVerified} />}
              </Way>
              <ButtonForm>
                <button
                  type="submit"
                  name="notice-test"
                  value={way.way}
                  aria-label={`أرسل تجربة إلى ${way.name}`}
                  className={buttonClass("quiet")}
                >
                  أرسل تجربة
                </button>
              </ButtonForm>
            </li>
          ))}
        </ul>
      )}
      <PushDevices {...push} />
      {ways.some(({ untold }) => untold !== undefined) && (
        <ButtonForm className="self-start">
          <button type="submit" name="notice-retry" className={buttonClass("quiet")}>
            أعد المحاولة الآن
          </button>
        </ButtonForm>
      )}
    </SectionCard>
  );
}

function Target({ email, isVerified }: Pick<NoticesProps, "email" | "isVerified">) {
  return (
    <p className="wrap-anywhere">
      إلى <bdi dir="ltr">{email}</bdi>
      {!isVerified && (
        <>
          {". لم تؤكّد هذا العنوان بعد: إن كان فيه خطأ قرأ غيرك رسائل زوارك. "}
          <a href="#email" className="text-brand underline">
            تأكيده
          </a>
        </>
      )}
    </p>
  );
}

function Way(way: NoticeWayState & { children: ReactNode }) {
  const { name, sent, failed, cause, reply, untold, next, children } = way;
  return (
    <div className="min-w-0">
      <p className="font-semibold">{name}</p>
      {children}
      <p className="text-sm text-muted">
        {sent ? (
          <>
            {`آخر تنبيه وصل ${sent.ago}: `}
            <time dateTime={sent.time}>{sent.date}</time>
          </>
        ) : (
          "لم يصل بها تنبيه بعد."
        )}
      </p>
      {(failed || untold) && (
        <p className="mt-2 rounded-xl border border-field bg-tint px-4 py-3 wrap-anywhere">
          {untold === undefined ? "تعذّر آخر تنبيه" : untold}
          {failed ? ` (${failed.ago}): ${cause}.` : "."}
          {untold !== undefined &&
            (next === undefined
              ? " لا محاولة تالية إلا مع رسالة جديدة أو بطلبك."
              : ` المحاولة التالية: ${next}.`)}
          {reply !== null && (
            <>
              {" رد الخادم: "}
              <bdi dir="auto">{reply}</bdi>
            </>
          )}
        </p>
      )}
    </div>
  );
}
