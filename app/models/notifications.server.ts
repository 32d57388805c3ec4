import { counted, type PluralForms } from "#app/lib/arabic-plural.ts";
import type { NotificationChannel, NotificationFault } from "#app/site-contract.server.ts";
import { dataOf } from "./data-of.server.ts";
import { agoText, longDate } from "./date.server.ts";
import type { Supabase } from "./supabase.ts";

const channelNames: Record<NotificationChannel, string> = {
  mail: "البريد",
  webhook: "الرابط البرمجي",
};

const undeliveredForms: PluralForms = {
  zero: "لا رسائل",
  one: "برسالة",
  two: "برسالتين",
  few: "رسائل",
  many: "رسالة",
  other: "رسالة",
};

/** «تعذّر تنبيهك بـ٣ رسائل» */
export const undeliveredText = (count: number): string =>
  `تعذّر تنبيهك ${count > 2 ? "بـ" : ""}${counted(count, undeliveredForms)}`;

const causes: Record<NotificationFault, string> = {
  unreachable: "تعذّر الاتصال بالخادم",
  certificate: "لا اتصال آمن بالخادم: شهادته غير صالحة أو لا يشفّر",
  login: "رفض الخادم اسم الدخول أو كلمة المرور",
  nobody: "لا بريد لصاحب اللوحة",
  refused: "رفض الخادم التنبيه",
  redirect: "الرابط يحوّل إلى عنوان آخر",
  later: "الخادم لا يقبل التنبيهات الآن",
  slow: "لم يرد الخادم في الوقت المتاح",
  other: "السبب في سجل الموقع",
};

const isFault = (text: string): text is NotificationFault => Object.hasOwn(causes, text);

/** The Arabic reason why a notification did not arrive. `fault`: the code in the database. */
export const causeText = (fault: string | null): string =>
  causes[fault !== null && isFault(fault) ? fault : "other"];

/** The states of the configured channels, for the owner. @throws {Response} */
export async function readChannels(supabase: Supabase, configured: readonly NotificationChannel[]) {
  const now = Date.now();
  const states = dataOf(
    await supabase.rpc("notification_state"),
    "The state of the notifications was not read",
  );
  return configured.flatMap((id) => {
    const state = states.find(({ channel }) => channel === id);
    return state === undefined
      ? []
      : {
          id,
          name: channelNames[id],
          sent: dated(state.sent_at, now),
          failed: state.fault === null ? undefined : dated(state.failed_at, now),
          cause: causeText(state.fault),
          reply: state.reply,
          undelivered: state.stuck > 0 ? undeliveredText(state.stuck) : undefined,
          next: longDate(state.next_at),
        };
  });
}

export type ChannelState = Awaited<ReturnType<typeof readChannels>>[number];

const dated = (time: string | null, now: number) =>
  time === null ? undefined : { time, date: longDate(time), ago: agoText(new Date(time), now) };

/** Returns the owner's address for a test; undefined within 30 s of the last. @throws {Response} */
export async function beginTest(
  supabase: Supabase,
  channel: NotificationChannel,
): Promise<string | undefined> {
  const result = await supabase.rpc("begin_notification_test", { for_channel: channel });
  return result.status === 429
    ? undefined
    : dataOf(result, "The test of a notification was not begun");
}
