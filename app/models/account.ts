import { z } from "zod";
import { plainEmail } from "../lib/plain-text.ts";

export const passwordMinLength = 6;

const email = z.string().transform(plainEmail).pipe(z.email("البريد الإلكتروني غير صحيح"));
const password = z
  .string()
  .min(passwordMinLength, `كلمة المرور يجب أن تكون ${passwordMinLength} أحرف على الأقل`);

/** Sign-in and sign-up (specification, section 5); messages in the order of the fields. */
export const credentialsSchema = z.object({ email, password });
