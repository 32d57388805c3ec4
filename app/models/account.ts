import type { Factor, JwtPayload, User } from "@supabase/supabase-js";
// The browser loads these schemas too, and mini is a quarter of the whole.
import * as z from "zod/mini";
import { plainCode, plainEmail, plainLine } from "../lib/plain-text.ts";

export const passwordMinLength = 6;
// What the authentication service takes at most.
const passwordMaxLength = 72;

/** A text that is cleaned before it is checked. */
const cleaned = <Schema extends z.ZodMiniType<unknown, string>>(
  clean: (text: string) => string,
  schema: Schema,
) => z.pipe(z.pipe(z.string(), z.transform(clean)), schema);

const email = cleaned(plainEmail, z.email("البريد الإلكتروني غير صحيح"));
const password = z
  .string()
  .check(
    z.minLength(passwordMinLength, `كلمة المرور يجب أن تكون ${passwordMinLength} أحرف على الأقل`),
  );

const newPassword = password.check(
  z.maxLength(passwordMaxLength, `كلمة المرور يجب ألا تزيد على ${passwordMaxLength} حرفًا`),
);

/** By mode of /auth (specification, section 5); messages in the order of the fields. */
export const credentialsSchemas = {
  "sign-in": z.object({ email, password }),
  "sign-up": z.object({ email, password: newPassword }),
};

export const emailSchema = z.object({ email });

export const newPasswordSchema = z.object({ password: newPassword });

const sixDigits = z.string().check(z.regex(/^\d{6}$/, "اكتب الرمز المكوّن من 6 أرقام"));

/** The six digits that an authenticator app shows or a mail brings, in any script. */
export const codeSchema = z.object({ code: cleaned(plainCode, sixDigits) });

export const mailedCodeSchema = z.extend(emailSchema, codeSchema.shape);

const recoveryText = "اكتب رمز الاسترداد";

export const recoverySchema = z.object({
  recovery: cleaned(
    plainLine,
    z.string().check(z.minLength(1, recoveryText), z.maxLength(100, recoveryText)),
  ),
});

export const factorNameSchema = z.object({
  name: cleaned(
    plainLine,
    z
      .string()
      .check(z.minLength(1, "اكتب اسمًا للجهاز"), z.maxLength(50, "الاسم طويل: 50 حرفًا على الأكثر")),
  ),
});

/** A second factor that was confirmed. */
export interface AccountFactor {
  id: string;
  name: string;
  createdAt: string;
}

export interface Account {
  id: string;
  email: string;
  /** An address that waits for its confirmation. */
  newEmail: string | undefined;
  factors: AccountFactor[];
  hasUsedFactor: boolean;
  /** When a link or code from a mail began the session, in seconds since 1970. */
  mailedAt: number | undefined;
}

/** The account as its token and, where it answered, the authentication service have it. */
export function accountOf(claims: JwtPayload, user: User | null): Account {
  return {
    id: claims.sub,
    email: user?.email ?? claims.email ?? "",
    newEmail: user?.new_email,
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

const mailMethods = new Set(["otp", "recovery", "magiclink"]);

function mailProof({ amr }: JwtPayload): number | undefined {
  for (const entry of amr ?? []) {
    if (typeof entry === "object" && mailMethods.has(entry.method)) return entry.timestamp;
  }
  return undefined;
}

/** Whether the account has a second factor that this session has not used. */
export function codeIsDue({ factors, hasUsedFactor }: Account): boolean {
  return factors.length > 0 && !hasUsedFactor;
}

const freshSeconds = 15 * 60;

/** Whether a mail has just shown that the session's owner reads the account's mails. */
export function cameByMail({ mailedAt }: Account): boolean {
  return mailedAt !== undefined && Date.now() / 1000 - mailedAt < freshSeconds;
}
