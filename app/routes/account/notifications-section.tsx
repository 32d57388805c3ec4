import type { ChannelState } from "#app/models/notifications.server.ts";
import { DocumentLink } from "./document-link.tsx";
import { Row, RowButton } from "./row.tsx";
import { Section } from "./section.tsx";

interface NotificationsProps {
  channels: ChannelState[];
  /** The account's address, which receives the mails. */
  email: string;
  isVerified: boolean;
  canVerify: boolean;
}

export function NotificationsSection({ channels, ...target }: NotificationsProps) {
  const isNone = channels.length === 0;
  return (
    <Section
      id="notifications"
      title="التنبيهات"
      text={
        isNone
          ? "لا تصلك تنبيهات بعد. اضبط البريد الصادر، أو الرابط البرمجي إلى تطبيق على هاتفك، مثل Telegram أو ntfy."
          : "تصلك حين يكتب إليك زائر."
      }
      action={isNone && <DocumentLink part="التنبيهات-على-جوالك" label="التنبيهات" />}
    >
      {!isNone && (
        <ul aria-labelledby="notifications" className="divide-y divide-line">
          {channels.map((channel) => (
            <Row
              key={channel.id}
              title={channel.name}
              action={
                <RowButton
                  value="test-notification"
                  fields={{ channel: channel.id }}
                  aria-label={`إرسال تجربة إلى ${channel.name}`}
                >
                  إرسال تجربة
                </RowButton>
              }
            >
              {channel.id === "mail" && <Target {...target} />}
              <Delivery {...channel} />
            </Row>
          ))}
        </ul>
      )}
    </Section>
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

/** When a channel last delivered a notification, and why the last attempt failed. */
function Delivery({ sent, failed, cause, reply, undelivered, next }: ChannelState) {
  return (
    <>
      <p>
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
        <p className="mt-2 rounded-xl border border-field bg-tint px-4 py-3 text-base text-ink wrap-anywhere">
          {undelivered === undefined ? "تعذّر آخر تنبيه" : undelivered}
          {failed ? ` (${failed.ago}): ${cause}.` : "."}
          {undelivered !== undefined && ` المحاولة التالية: ${next}.`}
          {reply !== null && (
            <>
              {" رد الخادم: "}
              <bdi dir="auto">{reply}</bdi>
            </>
          )}
        </p>
      )}
    </>
  );
}
