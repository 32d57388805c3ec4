import { z } from "zod";
import { plainEmail, plainLine, plainText } from "../lib/plain-text.ts";
import { limits, type NewMessage } from "./message-limits.ts";

/** What a visitor sends, cleaned. The table's constraints say the same (supabase/migrations). */
export const messageSchema = z.object({
  name: z
    .string()
    .transform(plainLine)
    .pipe(
      z.string().min(1, "اكتب اسمك").max(limits.name, `الاسم طويل: ${limits.name} حرف على الأكثر`),
    ),
  email: z
    .string()
    .transform(plainEmail)
    .pipe(
      z
        .string()
        .min(1, "اكتب بريدك الإلكتروني لأتمكن من الرد عليك")
        .max(limits.email, `البريد الإلكتروني طويل: ${limits.email} حرفًا على الأكثر`)
        .pipe(z.email("البريد الإلكتروني غير صحيح")),
    ),
  message: z
    .string()
    .transform(plainText)
    .pipe(
      z
        .string()
        .min(1, "اكتب رسالتك")
        .max(limits.message, `الرسالة طويلة: ${limits.message} حرف على الأكثر`),
    ),
}) satisfies z.ZodType<NewMessage>;
