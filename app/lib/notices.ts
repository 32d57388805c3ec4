import { counted, type PluralForms } from "./arabic-plural.ts";

export const noticeChannels = ["mail", "webhook", "push"] as const;
export type NoticeChannel = (typeof noticeChannels)[number];

export type NoticeFault =
  | "unreachable"
  | "certificate"
  | "login"
  | "nobody"
  | "refused"
  | "redirect"
  | "gone"
  | "later"
  | "slow"
  | "other";

/** The result of sending a notice, as public.settle_notification (supabase/migrations) stores it. */
export type SendResult =
  | { outcome: "sent" }
  | { outcome: "retry" | "unknown" | "refused"; fault: NoticeFault; reply?: string };

const newForms: PluralForms = {
  zero: "لا رسائل جديدة",
  one: "رسالة جديدة",
  two: "رسالتان جديدتان",
  few: "رسائل جديدة",
  many: "رسالة جديدة",
  other: "رسالة جديدة",
};

/** «٣ رسائل جديدة» */
export const newMessagesText = (count: number): string => counted(count, newForms);

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

export const channelNames: Record<NoticeChannel, string> = {
  mail: "البريد",
  webhook: "الرابط البرمجي",
  push: "إشعارات أجهزتك",
};

const causes: Record<NoticeFault, string> = {
  unreachable: "تعذّر الاتصال بالخادم",
  certificate: "لا اتصال آمن بالخادم: شهادته غير صالحة أو لا يشفّر",
  login: "رفض الخادم اسم الدخول أو كلمة المرور",
  nobody: "ليس للوحة صاحب له بريد",
  refused: "رفض الخادم التنبيه",
  redirect: "الرابط يحوّل إلى عنوان آخر",
  gone: "لم يعد أي جهاز يستقبل الإشعارات",
  later: "الخادم لا يقبل التنبيهات الآن",
  slow: "لم يرد الخادم في الوقت المتاح",
  other: "السبب في سجل الموقع",
};

const isFault = (text: string): text is NoticeFault => Object.hasOwn(causes, text);

/** The Arabic reason why a notice did not arrive. `fault`: the code in the database. */
export const causeText = (fault: string | null): string =>
  causes[fault !== null && isFault(fault) ? fault : "other"];
