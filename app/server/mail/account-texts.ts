import { type AccountChange, changeMail } from "./change-texts.ts";
import { type Block, composeMail, type Content, type Part } from "./layout.ts";

/** The names of the variables are those of hosted Supabase's templates. */
type MailVariables = Record<
  "SiteURL" | "RedirectTo" | "TokenHash" | "Token" | "Email" | "NewEmail",
  string
>;

interface LinkMail {
  subject: string;
  heading: string;
  lead: (variables: MailVariables) => Part[];
  button: string;
  /** The parameter of the link, and where the code is typed instead. */
  type: string;
  place: string;
  otherwise: string;
}

const linkMails = {
  confirmation: {
    subject: "تأكيد بريدك الإلكتروني",
    heading: "أهلًا بك، بقيت خطوة واحدة",
    lead: ({ Email }) => ["لتفعيل حسابك نحتاج إلى التأكد من أن ", { address: Email }, " بريدك."],
    button: "تأكيد البريد",
    type: "signup",
    place: "صفحة التأكيد",
    otherwise: "إن لم تُنشئ حسابًا فتجاهل هذه الرسالة.",
  },
  recovery: {
    subject: "استعادة كلمة المرور",
    heading: "اختر كلمة مرور جديدة",
    lead: ({ Email }) => ["وصلنا طلب لتغيير كلمة مرور الحساب ", { address: Email }, "."],
    button: "تغيير كلمة المرور",
    type: "recovery",
    place: "صفحة الاستعادة",
    otherwise: "إن لم تطلب ذلك فتجاهل هذه الرسالة، وكلمة مرورك باقية كما هي.",
  },
  email_change: {
    subject: "تأكيد تغيير البريد الإلكتروني",
    heading: "تأكيد تغيير البريد",
    lead: ({ Email, NewEmail }) => [
      "طُلب تغيير بريد حسابك من ",
      { address: Email },
      " إلى ",
      { address: NewEmail },
      ".",
    ],
    button: "تأكيد التغيير",
    type: "email_change",
    place: "صفحة التأكيد",
    otherwise: "إن لم تطلب ذلك فلا تضغط الزر، وغيّر كلمة مرورك.",
  },
  magic_link: {
    subject: "رابط تسجيل الدخول",
    heading: "تسجيل الدخول بلا كلمة مرور",
    lead: ({ Email }) => ["اضغط الزر للدخول إلى الحساب ", { address: Email }, "."],
    button: "تسجيل الدخول",
    type: "magiclink",
    place: "صفحة الدخول",
    otherwise: "إن لم تطلب الدخول فتجاهل هذه الرسالة، ولا تُعطِ الرمز لأحد.",
  },
} satisfies Record<string, LinkMail>;

export type LinkTemplate = keyof typeof linkMails;
export const linkTemplates = Object.keys(linkMails) as LinkTemplate[];

/** Hosted Supabase has those with a link. */
export type AccountMail =
  | { template: LinkTemplate; variables: MailVariables }
  | { template: AccountChange; variables: Pick<MailVariables, "Email" | "SiteURL"> };

/** Composes a mail of the authentication. The values of the variables may be any text. */
export function composeAccountMail(mail: AccountMail) {
  const content = isLinkMail(mail)
    ? linkMail(linkMails[mail.template], mail.variables)
    : changeMail(mail.template, mail.variables);
  return composeMail(content);
}

const isLinkMail = (
  mail: AccountMail,
): mail is Extract<AccountMail, { variables: MailVariables }> => mail.template in linkMails;

function linkMail(
  { subject, heading, lead, button, type, place, otherwise }: LinkMail,
  variables: MailVariables,
): Content {
  const { SiteURL, RedirectTo, TokenHash, Token } = variables;
  const href = `${SiteURL}/auth/confirm?token_hash=${encodeURIComponent(TokenHash)}&type=${type}`;
  const blocks: Block[] = [
    { kind: "paragraph", parts: lead(variables) },
    {
      kind: "buttons",
      links: [{ text: button, href: `${href}&next=${encodeURIComponent(RedirectTo)}` }],
    },
    { kind: "code", label: `أو اكتب هذا الرمز في ${place}:`, code: Token },
    { kind: "url", label: "إن لم يعمل الزر فانسخ هذا الرابط إلى المتصفح:", href },
    { kind: "rule" },
    { kind: "small", parts: [`الرابط والرمز صالحان مدة محدودة ولمرة واحدة. ${otherwise}`] },
  ];
  return { subject, heading, blocks };
}
