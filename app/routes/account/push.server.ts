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
  proof: "شغّل تنبيهات هذا الجهاز من صفحة حسابك.",
};

/** Stores this device's push subscription. Returns why it was refused, if it was. */
export async function storePush(supabase: Supabase, fields: FormData): Promise<string | undefined> {
  const form = addressSchema.safeParse(Object.fromEntries(fields));
  const refusal = form.success ? await savePush(supabase, form.data) : "address";
  return refusal && refusals[refusal];
}

/** Ends the push subscription of a listed device. Returns the toast. */
export async function turnOffPush(
  supabase: Supabase,
  device: FormDataEntryValue,
): Promise<ToastMessage> {
  const id = z.uuid().safeParse(device);
  if (!id.success) {
    return { type: "error", message: "اختر جهازًا من القائمة" };
  }
  await endPush(supabase, id.data);
  return { type: "success", message: "أُوقفت تنبيهات الجهاز" };
}
