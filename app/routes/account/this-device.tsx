import { type SubmitEvent, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { ButtonForm } from "#app/components/post-form.tsx";
import { showToast } from "#app/components/toast-store.ts";
import type { PushDevice } from "#app/models/push.server.ts";
import {
  type PushFields,
  type PushState,
  readPushState,
  subscribe,
  unsubscribe,
} from "./push-subscription.ts";
import { Row, rowAction } from "./row.tsx";

interface ThisDeviceProps {
  pushKey: string;
  /** This device's subscription in the database. */
  here: PushDevice | undefined;
}

/** Turns push notifications of this device on (needs scripts) and off. */
export function ThisDevice({ pushKey, here }: ThisDeviceProps) {
  const [state, setState] = useState<PushState>();
  const [fields, setFields] = useState<PushFields>();
  const [isAsking, setIsAsking] = useState(false);
  useEffect(() => {
    void readPushState(pushKey).then(setState, () => setState("unsupported"));
  }, [pushKey]);
  const isAble = state === "off" || state === "on";
  const isOn = here !== undefined && (!isAble || state === "on");

  async function turnOn(form: HTMLFormElement) {
    setIsAsking(true);
    const made = await subscribe(pushKey).catch(() => "failed" as const);
    setIsAsking(false);
    setState(await readPushState(pushKey));
    if (typeof made === "object") {
      flushSync(() => setFields(made));
      form.requestSubmit();
      setFields(undefined);
    } else {
      const description = made === "failed" ? unanswered : unpermitted;
      showToast({ type: "error", message: "لم تُشغّل تنبيهات هذا الجهاز", description });
    }
  }

  function send(event: SubmitEvent<HTMLFormElement>) {
    if (fields) {
      return;
    }
    if (isOn) {
      void unsubscribe();
      return;
    }
    event.preventDefault();
    if (!isAsking) {
      void turnOn(event.currentTarget);
    }
  }

  return (
    <Row
      title="تنبيهات هذا الجهاز"
      action={
        (isAble || here) && (
          <ButtonForm onSubmit={send}>
            {Object.entries(fields ?? {}).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <button
              type="submit"
              name={isOn ? "push-off" : undefined}
              value={isOn ? here.id : undefined}
              aria-label={`${isOn ? "إيقاف" : "تشغيل"} تنبيهات هذا الجهاز`}
              aria-disabled={isAsking}
              className={rowAction}
            >
              {isOn ? "إيقاف" : "تشغيل"}
            </button>
          </ButtonForm>
        )
      }
    >
      <DeviceText state={state} here={here} />
    </Row>
  );
}

export function PushTimes({ since, sent }: Pick<PushDevice, "since" | "sent">) {
  return (
    <>
      تعمل منذ <time dateTime={since.time}>{since.date}</time>
      {sent && (
        <>
          {". آخر تنبيه: "}
          <time dateTime={sent.time}>{sent.date}</time>
        </>
      )}
    </>
  );
}

const unanswered = "لم تقبل خدمة التنبيهات في متصفحك الطلب. أعد المحاولة بعد قليل.";
const unpermitted = "لم تسمح بها في المتصفح.";

const reasons: Record<Exclude<PushState, "on" | "off">, string> = {
  insecure: "لا تصل التنبيهات إلى الأجهزة إلا من عنوان يبدأ بـ https://.",
  ios: "على iPhone وiPad تصل التنبيهات إلى التطبيق المضاف إلى الشاشة الرئيسية وحده. اضغط زر المشاركة في Safari ثم «إضافة إلى الشاشة الرئيسية»، وافتح التطبيق منها، ثم شغّلها هنا.",
  unsupported: "لا يستقبل هذا المتصفح تنبيهات والموقع مغلق. جرّب متصفحًا أحدث.",
  denied:
    "تنبيهات هذا الموقع ممنوعة في متصفحك. اسمح بها من إعدادات الموقع بجانب عنوانه، أو من إعدادات الهاتف، ثم حدّث هذه الصفحة.",
};

function DeviceText({
  state,
  here,
}: {
  state: PushState | undefined;
  here: ThisDeviceProps["here"];
}) {
  if (state !== undefined && state !== "on" && state !== "off") {
    return reasons[state];
  }
  if (here) {
    return state === "off" ? "لم تعد تصل إلى هذا المتصفح. شغّلها من جديد." : <PushTimes {...here} />;
  }
  return state === undefined
    ? "لتشغيلها يلزم أن تعمل JavaScript في المتصفح."
    : "تصلك والموقع مغلق.";
}
