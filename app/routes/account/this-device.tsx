import { href } from "react-router";
import { ButtonForm } from "#app/components/post-form.tsx";
import type { PushDevice } from "#app/models/push.server.ts";
import { needsScripts, unableTexts, usePushState } from "./push-state.ts";
import { type PushState, unsubscribe } from "./push-subscription.ts";
import { Row, rowAction, RowLink } from "./row.tsx";

interface ThisDeviceProps {
  pushKey: string;
  /** This device's subscription in the database. */
  here: PushDevice | undefined;
}

/** Turns push notifications of this device on (needs scripts) and off. */
export function ThisDevice({ pushKey, here }: ThisDeviceProps) {
  const state = usePushState(pushKey);
  const isAble = state === "off" || state === "on";
  const off = here && (!isAble || state === "on") && (
    <ButtonForm onSubmit={() => void unsubscribe()}>
      <button
        type="submit"
        name="push-off"
        value={here.id}
        aria-label="إيقاف تنبيهات هذا الجهاز"
        className={rowAction}
      >
        إيقاف
      </button>
    </ButtonForm>
  );
  const on = isAble && (
    <RowLink href={href("/account/device")} aria-label="تشغيل تنبيهات هذا الجهاز">
      تشغيل
    </RowLink>
  );
  return (
    <Row title="تنبيهات هذا الجهاز" action={off || on}>
      <DeviceText state={state} here={here} />
    </Row>
  );
}

export function Since({ since, date }: Pick<PushDevice, "since" | "date">) {
  return (
    <>
      تعمل منذ <time dateTime={since}>{date}</time>
    </>
  );
}

function DeviceText({
  state,
  here,
}: {
  state: PushState | undefined;
  here: ThisDeviceProps["here"];
}) {
  if (state !== undefined && state !== "on" && state !== "off") {
    return unableTexts[state];
  }
  if (here) {
    return state === "off" ? "لم تعد تصل إلى هذا المتصفح. شغّلها من جديد." : <Since {...here} />;
  }
  return state === undefined ? needsScripts : "تصلك والموقع مغلق.";
}
