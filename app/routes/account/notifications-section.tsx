import type { ReactNode } from "react";
import { buttonClass } from "#app/components/button.ts";
import { ButtonForm } from "#app/components/post-form.tsx";
import type { ChannelState } from "#app/models/notifications.server.ts";
import { PushDevices, type PushDevicesProps } from "./push-devices.tsx";
import { SectionCard } from "./section-card.tsx";

interface NotificationsProps extends PushDevicesProps {
  channels: ChannelState[];
  /** The account's address, which receives the mails. */
  email: string;
  isVerified: boolean;
  canVerify: boolean;
}

export function NotificationsSection(props: NotificationsProps) {
  const { channels, email, isVerified, canVerify, ...push } = props;
  return (
    <SectionCard id="notifications" title="التنبيهات" wide>
      {channels.length === 0 ? (
        <p>
          لا طريقة تنبّهك بالرسائل الجديدة. شغّل تنبيهات هذا الجهاز، أو حدّد بريدك الصادر في إعدادي{" "}
          <bdi dir="ltr">SMTP_URL</bdi> و<bdi dir="ltr">MAIL_FROM</bdi>، أو عنوان خدمة تنبيه في{" "}
          <bdi dir="ltr">NOTIFICATION_URL</bdi>.
        </p>
      ) : (
        <ul aria-labelledby="notifications" className="divide-y divide-line">
          {channels.map((channel) => (
            <li key={channel.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <Channel {...channel}>
                {channel.id === "mail" && (
                  <Target email={email} isVerified={isVerified} canVerify={canVerify} />
                )}
              </Channel>
              <ButtonForm>
                <button
                  type="submit"
                  name="notification-test"
                  value={channel.id}
                  aria-label={`أرسل تجربة إلى ${channel.name}`}
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
      {channels.some(({ undelivered }) => undelivered !== undefined) && (
        <ButtonForm className="self-start">
          <button type="submit" name="notification-retry" className={buttonClass("quiet")}>
            أعد المحاولة الآن
          </button>
        </ButtonForm>
      )}
    </SectionCard>
  );
}

type TargetProps = Pick<NotificationsProps, "email" | "isVerified" | "canVerify">;

function Target({ email, isVerified, canVerify }: TargetProps) {
  return (
    <p className="wrap-anywhere">
      إلى <bdi dir="ltr">{email}</bdi>
      {!isVerified && (
        <>
          {". لم تؤكّد هذا العنوان بعد: إن كان فيه خطأ قرأ غيرك رسائل زوارك. "}
          {canVerify && (
            <a href="#email" className="text-brand underline">
              تأكيده
            </a>
          )}
        </>
      )}
    </p>
  );
}

function Channel(channel: ChannelState & { children: ReactNode }) {
  const { name, sent, failed, cause, reply, undelivered, next, children } = channel;
  return (
    <div className="min-w-0">
      <p className="font-bold">{name}</p>
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
      {(failed || undelivered) && (
        <p className="mt-2 rounded-xl border border-field bg-tint px-4 py-3 wrap-anywhere">
          {undelivered === undefined ? "تعذّر آخر تنبيه" : undelivered}
          {failed ? ` (${failed.ago}): ${cause}.` : "."}
          {undelivered !== undefined &&
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
