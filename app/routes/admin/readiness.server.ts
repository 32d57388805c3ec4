import { type RouterContext, siteContext } from "#app/session/site-context.server.ts";
import type { Lack } from "#app/site-contract.server.ts";

/** The board has a tip about notifications instead. */
const texts: Record<Exclude<Lack, "NOTIFICATION_URL">, string> = {
  name: "اسمك في الصفحة مثال، ويقرؤه الزوار.",
  phone: "رقم هاتفك في الصفحة مثال: من يراسلك عليه يصل إلى شخص آخر.",
  address: "بريدك في الصفحة مثال: ما يرسله الزوار إليه لا يصل إلى أحد.",
  works: "في أعمالك أو خدماتك أمثلة تقود إلى موقع غير موقعك.",
  SMTP_URL:
    "لا بريد صادر للموقع: رسائل الحسابات، كاستعادة كلمة المرور، تُكتب في ملفات، ولا تصل إلى أحد.",
  BACKUP_DIR: "لا تُحفظ نسخ احتياطية من رسائلك.",
  BACKUP_PASSPHRASE: "للنسخ الاحتياطية كلمة سر، وليس لها مجلد: لا تُحفظ نسخ من رسائلك.",
};

/** The sentences for the inbox's owner, who is the caller. */
export const readLacks = (context: RouterContext): string[] =>
  context
    .get(siteContext)
    .lacks.flatMap((lack) => (lack === "NOTIFICATION_URL" ? [] : texts[lack]));
