import { counted, type PluralForms } from "#app/lib/arabic-plural.ts";
import { waitText } from "#app/lib/duration.ts";
import type { AuthRefusal, Weakness } from "#app/models/account/refusal.ts";

const knownAddress = "لهذا البريد حساب من قبل. سجّل الدخول بدلًا من ذلك.";
const sessionOver = "انتهت جلستك. سجّل الدخول من جديد.";
const codeStepFirst = "أكمل خطوة رمز التحقق أولًا، ثم أعد المحاولة.";
const staleLink = "انتهت صلاحية هذا الرابط أو الرمز، أو استُعمل من قبل.";

const texts: Record<string, string> = {
  invalid_credentials: "البريد الإلكتروني أو كلمة المرور غير صحيحة.",
  email_not_confirmed: "أكّد بريدك الإلكتروني أولًا من الرسالة التي وصلتك.",
  user_already_exists: knownAddress,
  email_exists: knownAddress,
  weak_password: "كلمة المرور ضعيفة. اختر كلمة أطول.",
  same_password: "كلمة المرور الجديدة هي الحالية نفسها. اختر غيرها.",
  mail_not_sent: "لم تُقبل رسالة إلى هذا العنوان. راجع كتابته، أو أعد المحاولة بعد قليل.",
  validation_failed: "البيانات غير مقبولة. راجع البريد وكلمة المرور.",
  signup_disabled: "إنشاء الحسابات متوقف حاليًا.",
  email_provider_disabled: "إنشاء الحسابات متوقف حاليًا.",
  user_banned: "هذا الحساب موقوف.",
  user_not_found: sessionOver,
  no_authorization: sessionOver,
  bad_jwt: sessionOver,
  session_not_found: sessionOver,
  session_expired: sessionOver,
  refresh_token_not_found: sessionOver,
  refresh_token_already_used: sessionOver,
  over_request_rate_limit: "محاولات كثيرة. انتظر قليلًا ثم أعد المحاولة.",
  over_email_send_rate_limit: "أُرسلت رسائل كثيرة. انتظر قليلًا ثم أعد المحاولة.",
  otp_expired: staleLink,
  otp_disabled: "الدخول بالبريد وحده غير متاح.",
  reauthentication_needed: "سجّل الخروج ثم الدخول من جديد قبل تغيير كلمة المرور.",
  current_password_required: "اكتب كلمة المرور الحالية.",
  current_password_invalid: "كلمة المرور الحالية غير صحيحة.",
  insufficient_aal: codeStepFirst,
  mfa_verification_failed:
    "الرمز غير صحيح، أو استُعمل من قبل. اكتب الرمز الظاهر الآن في التطبيق، أو انتظر الرمز التالي.",
  mfa_factor_not_found:
    "لم يعد هذا الرمز صالحًا، فلعلك بدأت الإضافة من جديد في صفحة أخرى. أكملها هناك، أو أعد البدء هنا.",
  mfa_factor_name_conflict: "لديك تطبيق بهذا الاسم. اختر اسمًا آخر.",
  too_many_enrolled_mfa_factors: "بلغت أكبر عدد من التطبيقات. أزل واحدًا منها أولًا.",
  mfa_totp_enroll_not_enabled: "التحقق بخطوتين متوقف حاليًا.",
  mfa_totp_verify_not_enabled: "التحقق بخطوتين متوقف حاليًا.",
};

export function authErrorText(code: string | undefined): string {
  return texts[code ?? ""] ?? "تعذّر إتمام الطلب. أعد المحاولة بعد قليل.";
}

/** The Arabic text of a refusal, with the waiting time or a password's weakness if it is known. */
export function refusalText({ code, wait, weakness }: AuthRefusal): string {
  if (wait !== undefined) {
    return `محاولات كثيرة. أعد المحاولة بعد ${waitText(wait)}.`;
  }
  return (weakness && weaknessText(weakness)) || authErrorText(code);
}

const letterForms: PluralForms = {
  zero: "حرفًا",
  one: "حرفًا واحدًا",
  two: "حرفين",
  few: "أحرف",
  many: "حرفًا",
  other: "حرف",
};

const weaknesses: Record<string, string> = {
  characters: "كلمة المرور تحتاج إلى أنواع أخرى من الأحرف: لاتينية صغيرة وكبيرة، وأرقام، ورموز.",
  pwned: "كلمة المرور هذه معروفة من تسريبات سابقة. اختر غيرها.",
};

function weaknessText({ reasons, least }: Weakness): string {
  const length =
    least !== undefined && `كلمة المرور يجب أن تكون ${counted(least, letterForms)} على الأقل.`;
  return reasons
    .map((reason) => (reason === "length" ? length : weaknesses[reason]))
    .filter(Boolean)
    .join(" ");
}
