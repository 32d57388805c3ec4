import type { Context } from "hono";
import { z } from "zod";
import { passwordLength } from "./constants.ts";
import { AuthError, validationFailed } from "./errors.ts";

// RFC 5321 section 4.5.3.1.3 allows 256, including the angle brackets.
const maxEmailLength = 254;

/**
 * An address, which becomes lower case. GoTrue's pattern takes only ASCII. It comes before the change to
 * lower case, which would turn U+212A (Kelvin sign) into k.
 */
export const emailField = z
  .string()
  .max(maxEmailLength, "An email address is too long")
  .regex(z.regexes.html5Email, "Unable to validate email address: invalid format")
  .transform((email) => email.toLowerCase());

/** Reads the JSON body by `schema`. Throws AuthError 400 validation_failed. */
export async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await c.req.json());
  if (parsed.success) {
    return parsed.data;
  }
  throw validationFailed(parsed.error.issues[0]?.message ?? "The request body is not valid");
}

/** Throws 422 for a short password, 400 for a long one. */
export function checkPassword(password: string): void {
  const { min, max } = passwordLength;
  if (Buffer.byteLength(password) > max) {
    throw validationFailed(`Password cannot be longer than ${max} characters`);
  }
  if ([...password].length < min) {
    throw new AuthError(422, "weak_password", `Password should be at least ${min} characters.`, {
      details: { weak_password: { reasons: ["length"] } },
    });
  }
}
