import { z } from "zod";
import { AuthError, validationFailed } from "./errors.ts";
import type { AuthSettings } from "./settings.ts";

/** RFC 5321 section 4.5.3.1.3 allows 256, including the angle brackets. */
export const maxEmailLength = 254;
const maxPasswordLength = 72;

// Higher than the real limits, so that slightly too long values get GoTrue's errors.
export const emailField = z.string().max(1024).nullish();
export const passwordField = z.string().max(1024).nullish();

/** auth-js sends these with each request that sends a mail. */
export const pkceFields = {
  code_challenge: z.string().max(256).nullish(),
  code_challenge_method: z.string().max(32).nullish(),
};

// The pattern of HTML's `email` input and GoTrue's checkmail: ASCII only. Match before lowercasing,
// which turns U+212A (Kelvin sign) into k.
const emailPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

export function isEmail(text: string): boolean {
  return text.length <= maxEmailLength && emailPattern.test(text);
}

/** Returns the address in lower case. Throws 400 validation_failed. */
export function normalizeEmail(email: string): string {
  if (email === "") {
    throw validationFailed("An email address is required");
  }
  if (email.length > maxEmailLength) {
    throw validationFailed("An email address is too long");
  }
  if (!isEmail(email)) {
    throw validationFailed("Unable to validate email address: invalid format");
  }
  return email.toLowerCase();
}

/** Throws 422 for a short password, 400 for a long one. Counts characters; GoTrue counts bytes. */
export function checkPassword(password: string, settings: AuthSettings): void {
  const { length } = [...password];
  if (length > maxPasswordLength) {
    throw validationFailed(`Password cannot be longer than ${maxPasswordLength} characters`);
  }
  if (length < settings.passwordMinLength) {
    throw new AuthError(
      422,
      "weak_password",
      `Password should be at least ${settings.passwordMinLength} characters.`,
      { details: { weak_password: { reasons: ["length"] } } },
    );
  }
}
