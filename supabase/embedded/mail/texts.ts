import {
  type Block,
  type Brand,
  composeMail,
  type Content,
  type Part,
} from "#supabase/shared/mail.ts";
import { type AccountChange, changeMail } from "./change-texts.ts";

/** The names of the variables are those of hosted Supabase's templates. */
export type MailVariables = Record<
  "SiteURL" | "RedirectTo" | "TokenHash" | "Token" | "Email" | "NewEmail",
  string
>;

interface LinkMail {
  subject: string;
  heading: string;
  lead: (variables: MailVariables, site: string) => Part[];
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
  invite: {
    subject: "دعوة لإنشاء حساب",
    heading: "لديك دعوة",
    lead: ({ Email }, site) => [
      `دُعيت إلى إنشاء حساب على موقع ${site} بالبريد `,
      { address: Email },
      ".",
    ],
    button: "قبول الدعوة",
    type: "invite",
    place: "صفحة التأكيد",
    otherwise: "إن كنت لا تتوقع دعوة فتجاهل هذه الرسالة.",
  },
} satisfies Record<string, LinkMail>;

export type LinkTemplate = keyof typeof linkMails;
export const linkTemplates = Object.keys(linkMails) as LinkTemplate[];

/** Hosted Supabase has those with a link. */
export type AccountMail =
  | { template: LinkTemplate; variables: MailVariables }
  | {
      template: "wrong_codes" | AccountChange;
      variables: Pick<MailVariables, "Email" | "SiteURL">;
    };

/** Composes a mail of the authentication. The values of the variables may be any text. */
export function composeAccountMail(mail: AccountMail, brand: Brand) {
  return composeMail(brand, contentOf(mail, brand));
}

function contentOf(mail: AccountMail, brand: Brand): Content {
  if (mail.template === "wrong_codes") {
    return wrongCodes(mail.variables);
  }
  return isLinkMail(mail)
    ? linkMail(linkMails[mail.template], mail.variables, brand.name, encodeURIComponent)
    : changeMail(mail.template, mail.variables);
}

const isLinkMail = (
  mail: AccountMail,
): mail is Extract<AccountMail, { variables: MailVariables }> => mail.template in linkMails;

/** Returns a mail as a template of hosted Supabase, which fills and encodes the variables. */
export function hostedTemplate(template: LinkTemplate, brand: Brand) {
  const names = ["SiteURL", "RedirectTo", "TokenHash", "Token", "Email", "NewEmail"] as const;
  const actions = Object.fromEntries(names.map((name) => [name, `{{ .${name} }}`]));
  const content = linkMail(linkMails[template], actions as MailVariables, brand.name, String);
  return composeMail(brand, content);
}

function linkMail(
  { subject, heading, lead, button, type, place, otherwise }: LinkMail,
  variables: MailVariables,
  site: string,
  encode: (value: string) => string,
): Content {
  const { SiteURL, RedirectTo, TokenHash, Token } = variables;
  const href = `${SiteURL}/auth/confirm?token_hash=${encode(TokenHash)}&type=${type}`;
  const blocks: Block[] = [
    { kind: "paragraph", parts: lead(variables, site) },
    { kind: "button", link: { text: button, href: `${href}&next=${encode(RedirectTo)}` } },
    { kind: "code", label: `أو اكتب هذا الرمز في ${place}:`, code: Token },
    { kind: "url", label: "إن لم يعمل الزر فانسخ هذا الرابط إلى المتصفح:", href },
    { kind: "note", parts: [`الرابط والرمز صالحان مدة محدودة ولمرة واحدة. ${otherwise}`] },
  ];
  return { subject, heading, blocks };
}

function wrongCodes({ Email, SiteURL }: Pick<MailVariables, "Email" | "SiteURL">): Content {
  return {
    subject: "أُوقف رمز التحقق مؤقتًا",
    heading: "أُوقف رمز التحقق مؤقتًا",
    blocks: [
      {
        kind: "paragraph",
        parts: [
          "أُدخلت رموز تحقق خاطئة كثيرة للحساب ",
          { address: Email },
          "، فأوقفنا قبول الرموز مدة تطول بعد كل رمز خاطئ.",
        ],
      },
      {
        kind: "paragraph",
        parts: ["إن كنت أنت من أدخلها فأعد المحاولة بعد المدة، أو ادخل برمز استرداد."],
      },
      {
        kind: "url",
        label: "إن لم تكن أنت، فقد عرف غيرك كلمة مرورك. غيّرها من صفحة حسابك:",
        href: `${SiteURL}/account`,
      },
    ],
  };
}
