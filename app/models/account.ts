import type { Factor, JwtPayload, User } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import { asciiDomain, emailMaxLength, isAccountEmail } from "#app/lib/email.ts";
import { composed, plainCode, plainEmail, plainLine } from "#app/lib/plain-text.ts";
import { cleanText } from "./clean-text.ts";

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

const wrongCode = "اكتب الرمز المكوّن من ٦ أرقام";

/** Six digits of an authenticator app or a mail, in any script. */
export const codeSchema = z.object({
  code: z.pipe(
    cleanText({ clean: plainCode, max: 6, tooLong: wrongCode }),
    z.string().check(z.regex(/^\d{6}$/, wrongCode)),
  ),
});

export const mailedCodeSchema = z.extend(emailSchema, codeSchema.shape);

export const factorNameSchema = z.object({
  name: z.pipe(
    cleanText({ clean: plainLine, max: 50, tooLong: "الاسم طويل: ٥٠ حرفًا على الأكثر" }),
    z.string().check(z.minLength(1, "اكتب اسمًا للجهاز")),
  ),
});

export interface AccountFactor {
  id: string;
  name: string;
  createdAt: string;
}

export interface Account {
  id: string;
  /** The id of this session. */
  session: string;
  email: string;
  /** Whether a mail to this address was confirmed. */
  isEmailVerified: boolean;
  newEmail: string | undefined;
  factors: AccountFactor[];
  hasUsedFactor: boolean;
  /** When a mail's link or code began this session, in seconds since 1970. */
  mailedAt: number | undefined;
}

/** @param user null if the authentication service did not answer */
export function accountOf(claims: JwtPayload, user: User | null): Account {
  return {
    id: claims.sub,
    session: claims.session_id,
    email: user?.email ?? claims.email ?? "",
    isEmailVerified: user === null || hasVerifiedEmail(user),
    newEmail: pendingEmail(user),
    factors: (user?.factors ?? []).filter(({ status }) => status === "verified").map(factorOf),
    hasUsedFactor: claims.aal === "aal2",
    mailedAt: mailProof(claims),
  };
}

const factorOf = ({ id, friendly_name: name, created_at: createdAt }: Factor): AccountFactor => ({
  id,
  name: name ?? "تطبيق المصادقة",
  createdAt,
});

function hasVerifiedEmail({ identities = [] }: User): boolean {
  return identities.some(
    ({ provider, identity_data: data }) => provider === "email" && data?.email_verified === true,
  );
}

/** After a new password GoTrue keeps `new_email`, but its mails are void. */
const pendingEmail = (user: User | null) =>
  user?.email_change_sent_at === undefined ? undefined : user.new_email;

const mailMethods = new Set(["otp", "recovery", "magiclink"]);

function mailProof({ amr }: JwtPayload): number | undefined {
  for (const entry of amr ?? []) {
    if (typeof entry === "object" && mailMethods.has(entry.method)) {
      return entry.timestamp;
    }
  }
  return undefined;
}

export function codeIsDue({ factors, hasUsedFactor }: Account): boolean {
  return factors.length > 0 && !hasUsedFactor;
}

// Same as in the authentication service.
const freshSeconds = 10 * 60;

/** Whether a mail's link or code began the session within the last ten minutes. */
export function cameByMail({ mailedAt }: Account): boolean {
  return mailedAt !== undefined && Math.abs(Date.now() / 1000 - mailedAt) < freshSeconds;
}
