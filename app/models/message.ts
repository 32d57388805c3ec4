import * as z from "zod/mini";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import { emailMaxLength, isEmail } from "#app/lib/email.ts";
import { plainEmail, plainLine, plainText } from "#app/lib/plain-text.ts";
import { cleanText } from "./clean-text.ts";

export interface NewMessage {
  name: string;
  email: string;
  message: string;
}

/** In UTF-16 units. The table counts characters, so it accepts every text within these limits. */
const limits = { name: 100, email: emailMaxLength, message: 5000 };

const filled = (empty: string) => z.string().check(z.minLength(1, empty));

/** A visitor's message, cleaned. The table has the same constraints (supabase/migrations). */
export const messageSchema = z.object({
  name: z.pipe(
    cleanText({
      clean: plainLine,
      max: limits.name,
      tooLong: `الاسم طويل: ${arabicNumber(limits.name)} حرف على الأكثر`,
    }),
    filled("اكتب اسمك"),
  ),
  email: z.pipe(
    z.pipe(
      cleanText({
        clean: plainEmail,
        max: limits.email,
        tooLong: `البريد الإلكتروني طويل: ${arabicNumber(limits.email)} حرفًا على الأكثر`,
      }),
      filled("اكتب بريدك الإلكتروني لأتمكن من الرد عليك"),
    ),
    z.string().check(z.refine(isEmail, "البريد الإلكتروني غير صحيح")),
  ),
  message: z.pipe(
    cleanText({
      clean: plainText,
      max: limits.message,
      tooLong: `الرسالة طويلة: ${arabicNumber(limits.message)} حرف على الأكثر`,
    }),
    filled("اكتب رسالتك"),
  ),
}) satisfies z.ZodMiniType<NewMessage>;
