import { expect, test } from "vitest";
import { confirmationTarget } from "./confirmation.ts";

test.each([
  ["/?token_hash=a%2Bb&type=signup", "/auth/confirm?token_hash=a%2Bb&type=signup"],
  ["/?code=abc", "/auth/confirm?code=abc"],
  ["/?error=x&error_code=otp_expired", "/auth/confirm?error=x&error_code=otp_expired"],
  ["/?error_description=x", "/auth/confirm?error_description=x"],
  ["/", undefined],
  ["/?utm_source=card", undefined],
])("%s is completed at %s", (landing, target) => {
  expect(confirmationTarget(new URL(landing, "https://site.example"))).toBe(target);
});
