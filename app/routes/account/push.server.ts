import { z } from "zod";
import type { ToastMessage } from "#app/components/toast-store.ts";
import { endPush, savePush } from "#app/models/push.server.ts";
import type { Supabase } from "#app/models/supabase.ts";

const base64urlSchema = z.string().regex(/^[\w-]+$/);
const addressSchema = z.object({
  endpoint: z.url({ protocol: /^https$/ }).max(1000),
  p256dh: base64urlSchema.length(87),
  auth: base64urlSchema.length(22),
});

const refusals = {
  address: "لم يذكر متصفحك عنوانًا صالحًا للتنبيهات. أعد المحاولة، أو جرّب متصفحًا آخر.",
  devices: "تصل التنبيهات إلى عشرين جهازًا على الأكثر. أوقف أحدها أولًا.",
};

/** Adds this device's push subscription or ends that of a listed one. Returns the toast. */
export async function changePush(
  supabase: Supabase,
  fields: FormData,
): Promise<ToastMessage | undefined> {
  const off = fields.get("push-off");
  if (off !== null) {
    return turnOff(supabase, off);
  }
  const form = addressSchema.safeParse(Object.fromEntries(fields));
  const refusal = form.success ? await savePush(supabase, form.data) : "address";
  // Sent by the service worker, which shows no toast.
  if (fields.get("push") === "renew") {
    return undefined;
  }
  return refusal === undefined
    ? { type: "success", message: "شُغّلت تنبيهات هذا الجهاز" }
    : { type: "error", message: "لم تُشغّل تنبيهات هذا الجهاز", description: refusals[refusal] };
}

async function turnOff(supabase: Supabase, device: FormDataEntryValue): Promise<ToastMessage> {
  const id = z.uuid().safeParse(device);
  if (!id.success) {
    return { type: "error", message: "اختر جهازًا من القائمة" };
  }
  await endPush(supabase, id.data);
  return { type: "success", message: "أُوقفت تنبيهات الجهاز" };
}
