import { z } from "zod";
import { AuthError, validationFailed } from "./errors.ts";
import type { AuthSettings } from "./settings.ts";

/** RFC 5321 section 4.5.3.1.3: 256 with the angle brackets. */
export const maxEmailLength = 254;
const maxPasswordLength = 72;

// Above the real limits, so that slightly long values get GoTrue's own errors.
export const emailField = z.string().max(1024).nullish();
export const passwordField = z.string().max(1024).nullish();

/** auth-js sends these with all that leads to a mail. */
export const pkceFields = {
  code_challenge: z.string().max(256).nullish(),
  code_challenge_method: z.string().max(32).nullish(),
};

// As the `email` input of HTML and GoTrue's checkmail: ASCII only. Lowercasing comes after the
// match, because U+212A in lower case is k.
const emailPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

export function isEmail(text: string): boolean {
  return text.length <= maxEmailLength && emailPattern.test(text);
}

/** The address in lower case. Throws 400 validation_failed. */
export function normalEmail(email: string): string {
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

/** Throws 422 for a short password, 400 for a long one. Counts characters, not GoTrue's bytes. */
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
