import { readFile } from "node:fs/promises";
import {
  accessTokenSeconds,
  mailedCodeDigits,
  mailedTokenSeconds,
  maxFactors,
  passwordLength,
  refreshReuseSeconds,
} from "embedded-supabase/testing";
import { parse } from "smol-toml";
import { expect, test } from "vitest";

test("config.toml gives hosted Supabase the same settings", async () => {
  const file = new URL("../../supabase/config.toml", import.meta.url);
  const config = parse(await readFile(file, "utf8"));
  expect(config["auth"]).toMatchObject({
    jwt_expiry: accessTokenSeconds,
    enable_refresh_token_rotation: true,
    refresh_token_reuse_interval: refreshReuseSeconds,
    enable_signup: true,
    enable_anonymous_sign_ins: false,
    minimum_password_length: passwordLength.min,
    password_requirements: "",
    email: {
      enabled: true,
      double_confirm_changes: true,
      // Without it GoTrue moves an account to an address that nobody has confirmed.
      enable_confirmations: true,
      max_frequency: "1m0s",
      otp_length: mailedCodeDigits,
      otp_expiry: mailedTokenSeconds,
    },
    mfa: {
      max_enrolled_factors: maxFactors,
      totp: { enroll_enabled: true, verify_enabled: true },
    },
  });
});
