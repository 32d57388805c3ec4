import { expect, test } from "vitest";
import { confirmationTarget } from "./confirmation.ts";

const uuid = "0b8f2f2e-7d0c-4a8e-9a43-6a1c2b7d9e10";
const embedded = "q8Zr2vJm4-Yk0_Lw7TtNc1Xb5HsPd9GfUeRaKiMoQzA";
const hash = "3f".repeat(28);

test.each([
  `token_hash=${hash}&type=signup`,
  `token_hash=pkce_${hash}&type=recovery`,
  `token_hash=${"3f".repeat(32)}&type=email_change&next=%2Faccount`,
  `code=${uuid}`,
  `code=${embedded}&utm_source=mail`,
  "error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid",
])("a link of Supabase, /?%s, is completed at /auth/confirm", (query) => {
  const target = confirmationTarget(new URL(`https://site.example/?${query}`));
  expect(target).toBe(`/auth/confirm?${query}`);
});

test.each([
  "",
  "utm_source=card",
  "code=SPRING",
  "code=abc",
  "code=",
  `code=${"x".repeat(44)}`,
  "code=2026-spring-sale-of-all-landing-pages",
  "token_hash=a%2Bb&type=signup",
  `token_hash=${hash}`,
  "error=1",
  "error_description=x",
  "error_code=otp_expired",
])("/?%s is the home page", (query) => {
  expect(confirmationTarget(new URL(`https://site.example/?${query}`))).toBeUndefined();
});
