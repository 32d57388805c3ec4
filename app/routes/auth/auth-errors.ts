const texts: Record<string, string> = {
  invalid_credentials: "البريد الإلكتروني أو كلمة المرور غير صحيحة.",
  email_not_confirmed: "أكّد بريدك الإلكتروني أولًا من الرسالة التي وصلتك.",
  user_already_exists: "لهذا البريد حساب من قبل. سجّل الدخول بدلًا من ذلك.",
  email_exists: "لهذا البريد حساب من قبل. سجّل الدخول بدلًا من ذلك.",
  weak_password: "كلمة المرور ضعيفة. اختر كلمة أطول.",
  email_address_invalid: "لا يقبل النظام هذا البريد الإلكتروني. جرّب غيره.",
  validation_failed: "البيانات غير مقبولة. راجع البريد وكلمة المرور.",
  signup_disabled: "إنشاء الحسابات متوقف حاليًا.",
  user_banned: "هذا الحساب موقوف.",
  over_request_rate_limit: "محاولات كثيرة. انتظر قليلًا ثم أعد المحاولة.",
  over_email_send_rate_limit: "أُرسلت رسائل كثيرة. انتظر قليلًا ثم أعد المحاولة.",
};

/** What an error code of the authentication service means, in Arabic, for whoever reads the form. */
export function authErrorText(code: string | undefined): string {
  return texts[code ?? ""] ?? "تعذّر إتمام الطلب. أعد المحاولة بعد قليل.";
}
