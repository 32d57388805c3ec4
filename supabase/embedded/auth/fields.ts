import { z } from "zod";
import { AuthError, validationFailed } from "./errors.ts";
import type { AuthSettings } from "./settings.ts";

/** RFC 5321 section 4.5.3.1.3: 256 with the angle brackets. */
export const maxEmailLength = 254;
const maxPasswordLength = 72;

/** The PKCE fields that auth-js sends with everything that leads to a mail; "" or null when unused. */
export const pkceFields = {
  code_challenge: z.string().nullish(),
  code_challenge_method: z.string().nullish(),
};

// The `email` input of HTML, which is also what GoTrue's checkmail takes.
const emailPattern =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** The address in lower case. Throws 400 validation_failed for what is no address. */
export function normalEmail(email: string): string {
  if (email === "") {
    throw validationFailed("An email address is required");
  }
  if (email.length > maxEmailLength) {
    throw validationFailed("An email address is too long");
  }
  const lower = email.toLowerCase();
  if (!emailPattern.test(lower)) {
    throw validationFailed("Unable to validate email address: invalid format");
  }
  return lower;
}

/**
 * Throws 422 weak_password for a password with fewer characters than the settings ask for, and
 * 400 validation_failed for one with more than 72. Characters, not bytes as in GoTrue: an Arabic
 * password of 40 letters is fine for argon2, and one of 3 letters is not long enough.
 */
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
