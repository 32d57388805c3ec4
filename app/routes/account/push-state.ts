import { useEffect, useState } from "react";
import { type PushState, readPushState } from "./push-subscription.ts";

/** Whether this browser has push notifications; undefined before scripts run. */
export function usePushState(pushKey: string): PushState | undefined {
  const [state, setState] = useState<PushState>();
  useEffect(() => {
    void readPushState(pushKey).then(setState, () => setState("unsupported"));
  }, [pushKey]);
  return state;
}

export const needsScripts = "لتشغيلها يلزم أن تعمل JavaScript في المتصفح.";

/** Why a browser cannot have them. */
export const unableTexts: Record<Exclude<PushState, "on" | "off">, string> = {
  insecure: "لا تصل التنبيهات إلى الأجهزة إلا من عنوان يبدأ بـ https://.",
  ios: "على iPhone وiPad تصل التنبيهات إلى التطبيق المضاف إلى الشاشة الرئيسية وحده. اضغط زر المشاركة في Safari ثم «إضافة إلى الشاشة الرئيسية»، وافتح التطبيق منها، ثم شغّلها هنا.",
  unsupported: "لا يستقبل هذا المتصفح تنبيهات والموقع مغلق. جرّب متصفحًا أحدث.",
  denied:
    "تنبيهات هذا الموقع ممنوعة في متصفحك. اسمح بها من إعدادات الموقع بجانب عنوانه، أو من إعدادات الهاتف، ثم حدّث هذه الصفحة.",
};
