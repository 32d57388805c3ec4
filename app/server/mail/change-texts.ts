import type { Content } from "./layout.ts";

const changes = {
  password_changed: {
    subject: "تغيّرت كلمة مرور حسابك",
    what: "، وانتهت جلساته على الأجهزة الأخرى.",
    lead: "تغيّرت كلمة مرور الحساب ",
  },
  email_requested: {
    subject: "طُلب تغيير بريد حسابك",
    lead: "طُلب أن يتغيّر إلى عنوان آخر بريد الحساب ",
    what: ". لا يتغيّر قبل التأكيد من العنوان الجديد.",
  },
  email_changed: {
    subject: "تغيّر بريد حسابك",
    lead: "لم يعد ",
    what: " بريدَ حسابك، فقد تغيّر إلى عنوان آخر.",
  },
  factor_added: {
    subject: "أُضيف تطبيق مصادقة إلى حسابك",
    lead: "أُضيف تطبيق مصادقة إلى الحساب ",
    what: ".",
  },
  factor_removed: {
    subject: "أُزيل تطبيق مصادقة من حسابك",
    lead: "أُزيل تطبيق مصادقة من الحساب ",
    what: ".",
  },
  codes_renewed: {
    subject: "أُنشئت رموز استرداد جديدة لحسابك",
    lead: "أُنشئت رموز استرداد جديدة، وبطلت السابقة، للحساب ",
    what: ".",
  },
  wrong_codes: {
    subject: "أُوقف رمز التحقق مؤقتًا",
    lead: "أُدخلت رموز تحقق خاطئة كثيرة للحساب ",
    what: "، فأوقفنا قبول الرموز مدة تطول بعد كل رمز خاطئ. ويمكنك الدخول برمز استرداد.",
  },
} satisfies Record<string, { subject: string; lead: string; what: string }>;

export type AccountChange = keyof typeof changes;
export const accountChanges = Object.keys(changes) as AccountChange[];

/** Composes the mail about a change of an account, or an attempt at one. */
export function changeMail(
  change: AccountChange,
  { Email, SiteURL }: Record<"Email" | "SiteURL", string>,
): Content {
  const { subject, lead, what } = changes[change];
  return {
    subject,
    heading: subject,
    blocks: [
      { kind: "paragraph", parts: [lead, { address: Email }, what] },
      { kind: "paragraph", parts: ["إن كنت أنت من فعل ذلك فلا داعي لأي إجراء."] },
      { kind: "rule" },
      {
        kind: "url",
        label: "إن لم تكن أنت فاختر الآن كلمة مرور جديدة من صفحة الاستعادة:",
        href: `${SiteURL}/auth/forgot`,
      },
    ],
  };
}
