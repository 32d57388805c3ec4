import * as z from "zod/mini";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import { asciiDomain, emailMaxLength, isAccountEmail } from "#app/lib/email.ts";
import { composed, plainCode, plainEmail, plainLine } from "#app/lib/plain-text.ts";
import { cleanText } from "#app/models/clean-text.ts";

export const passwordMinLength = 6;
// GoTrue's limit, which counts the bytes of UTF-8. The embedded Supabase has the same.
const passwordMaxBytes = 72;

const wrongEmail = "البريد الإلكتروني غير صحيح";
const email = z.pipe(
  cleanText({
    clean: (text) => asciiDomain(plainEmail(text)),
    max: emailMaxLength,
    tooLong: wrongEmail,
  }),
  z.string().check(z.refine(isAccountEmail, wrongEmail)),
);
const password = z
  .string()
  .check(
    z.minLength(passwordMinLength, `كلمة المرور يجب أن تكون ${passwordMinLength} أحرف على الأقل`),
  );

const utf8 = new TextEncoder();
const longPassword = `كلمة المرور طويلة: ${arabicNumber(passwordMaxBytes)} حرفًا لاتينيًا أو ${arabicNumber(passwordMaxBytes / 2)} حرفًا عربيًا على الأكثر`;
const newPassword = z.pipe(
  cleanText({ clean: composed, max: passwordMaxBytes, tooLong: longPassword }),
  password.check(z.refine((text) => utf8.encode(text).length <= passwordMaxBytes, longPassword)),
);

/** The credentials' rules by mode of /auth. */
export const credentialsSchemas = {
  "sign-in": z.object({ email, password }),
  "sign-up": z.object({ email, password: newPassword }),
};

export const emailSchema = z.object({ email });

export const newPasswordSchema = z.object({ password: newPassword });

/** Digits in any script. */
const codeOf = (digits: RegExp, wrong: string) =>
  z.pipe(
    cleanText({ clean: plainCode, max: 10, tooLong: wrong }),
    z.string().check(z.regex(digits, wrong)),
  );

/** The code of an authenticator app. */
export const codeSchema = z.object({
  code: codeOf(/^\d{6}$/, "اكتب الرمز المكوّن من ٦ أرقام"),
});

/** The code of a mail. It has eight digits, and as many as a hosted Supabase is set to there: six to ten. */
export const mailedCodeSchema = z.extend(emailSchema, {
  code: codeOf(/^\d{6,10}$/, "اكتب الرمز كما هو في الرسالة"),
});

export const factorNameSchema = z.object({
  name: z.pipe(
    cleanText({ clean: plainLine, max: 50, tooLong: "الاسم طويل: ٥٠ حرفًا على الأكثر" }),
    z.string().check(z.minLength(1, "اكتب اسمًا للجهاز")),
  ),
});
