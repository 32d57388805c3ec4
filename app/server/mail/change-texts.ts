import type { Block, Content, Part } from "./layout.ts";

interface Change {
  subject: string;
  /** The sentence before and after the account's address. */
  lead: string;
  what: string;
  /** What to do if it was a stranger, in front of the address of the page where that works. */
  advice: string;
  /** What the site's owner does about the own account, if a new password does not help. */
  byOwner?: Part[];
}

/** For an owner whose account is gone, or belongs to somebody else. */
const withoutAccount: Part[] = [
  "وإن كان الموقع لك فأنشئ حسابًا آخر، وانقل إليه الصندوق على خادمك بالأمر ",
  { address: "npm run sql" },
  " كما في ",
  { address: "DEPLOY.md" },
  ".",
];

const changes = {
  password_changed: {
    subject: "تغيّرت كلمة مرور حسابك",
    lead: "تغيّرت كلمة مرور الحساب ",
    what: "، وانتهت جلساته على الأجهزة الأخرى.",
    advice: "إن لم تكن أنت فاختر الآن كلمة مرور جديدة من صفحة الاستعادة:",
  },
  email_requested: {
    subject: "طُلب تغيير بريد حسابك",
    lead: "طُلب تغيير بريد الحساب ",
    what: " إلى عنوان آخر. لا يتغيّر قبل التأكيد من العنوان الجديد.",
    advice: "إن لم تكن أنت فاختر الآن كلمة مرور جديدة من صفحة الاستعادة، فيبطل الطلب:",
  },
  email_changed: {
    subject: "تغيّر بريد حسابك",
    lead: "لم يعد ",
    what: " بريدَ حسابك، فقد تغيّر إلى عنوان آخر.",
    advice: "إن لم تكن أنت فراسلني الآن من صفحة الموقع، فرسائل الاستعادة لم تعد تصل إلى هذا العنوان:",
    byOwner: withoutAccount,
  },
  factor_added: {
    subject: "أُضيف تطبيق مصادقة إلى حسابك",
    lead: "أُضيف تطبيق مصادقة إلى الحساب ",
    what: ".",
    advice: "إن لم تكن أنت فراسلني الآن من صفحة الموقع لأزيله، فلا تتغيّر كلمة المرور بلا رمز منه:",
    byOwner: [
      "وإن كان الموقع لك فأزله على خادمك بالأمر ",
      { address: "npm run sql" },
      " كما في ",
      { address: "DEPLOY.md" },
      "، ثم اختر كلمة مرور جديدة.",
    ],
  },
  factor_removed: {
    subject: "أُزيل تطبيق مصادقة من حسابك",
    lead: "أُزيل تطبيق مصادقة من الحساب ",
    what: ".",
    advice:
      "إن لم تكن أنت فاختر الآن كلمة مرور جديدة من صفحة الاستعادة، ثم أضف تطبيق مصادقة من صفحة حسابك:",
  },
  wrong_codes: {
    subject: "أُوقف رمز التحقق مؤقتًا",
    lead: "أُدخلت رموز تحقق خاطئة كثيرة للحساب ",
    what: "، فأوقفنا قبول الرموز مدة تطول بعد كل رمز خاطئ.",
    advice: "إن لم تكن أنت فلعل غيرك يعرف كلمة مرورك. اختر الآن كلمة مرور جديدة من صفحة الاستعادة:",
  },
  account_deleted: {
    subject: "حُذف حسابك",
    lead: "حُذف، بعد كلمة مروره، الحساب ",
    what: " وكل ما يخصه. لا يمكن إرجاعه.",
    advice: "إن لم تكن أنت فراسلني من صفحة الموقع:",
    byOwner: withoutAccount,
  },
} satisfies Record<string, Change>;

export type AccountChange = keyof typeof changes;
export const accountChanges = Object.keys(changes) as AccountChange[];

/** Composes the mail about a change of an account, or an attempt at one. */
export function changeMail(
  change: AccountChange,
  { Email, SiteURL }: Record<"Email" | "SiteURL", string>,
): Content {
  const { subject, lead, what, advice, byOwner }: Change = changes[change];
  const blocks: Block[] = [
    { kind: "paragraph", parts: [lead, { address: Email }, what] },
    { kind: "paragraph", parts: ["إن كنت أنت من فعل ذلك فلا داعي لأي إجراء."] },
    { kind: "rule" },
    { kind: "url", label: advice, href: byOwner ? SiteURL : `${SiteURL}/auth/forgot` },
  ];
  if (byOwner) {
    blocks.push({ kind: "small", parts: byOwner });
  }
  return { subject, heading: subject, blocks };
}
