import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { StartError } from "./engine/start-error.ts";

const ours = new URL("../config.toml", import.meta.url).pathname;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "config-"));
  file = join(folder, "config.toml");
});
afterEach(() => rm(folder, { recursive: true }));

test("the site's own file is read", async () => {
  expect(await readConfig(ours)).toMatchObject({
    confirmEmail: false,
    jwtExpirySeconds: 3600,
    refreshReuseSeconds: 10,
    passwordMinLength: 6,
    totpEnrolEnabled: true,
    totpVerifyEnabled: true,
    rateLimits: { token: { points: 150, seconds: 300 }, mailInterval: { points: 1, seconds: 60 } },
  });
});

test("each setting that the embedded Supabase has comes from the file", async () => {
  await writeFile(
    file,
    `
    [auth]
    additional_redirect_urls = ["https://other.site/welcome"]
    jwt_expiry = 600
    refresh_token_reuse_interval = 0
    minimum_password_length = 12
    [auth.rate_limit]
    token_refresh = 7
    sign_in_sign_ups = 8
    token_verifications = 9
    email_sent = 2
    [auth.email]
    enable_confirmations = true
    secure_password_change = true
    max_frequency = "1h2m3s"
    otp_expiry = 900
    [auth.mfa]
    max_enrolled_factors = 2
    [auth.mfa.totp]
    enroll_enabled = true
    verify_enabled = false`,
  );
  expect(await readConfig(file)).toMatchObject({
    redirectAllowList: ["https://other.site/welcome"],
    jwtExpirySeconds: 600,
    refreshReuseSeconds: 0,
    passwordMinLength: 12,
    confirmEmail: true,
    requireReauthentication: true,
    otpExpirySeconds: 900,
    maxFactors: 2,
    totpEnrolEnabled: true,
    totpVerifyEnabled: false,
    rateLimits: {
      token: { points: 7, seconds: 300 },
      signup: { points: 8, seconds: 300 },
      verify: { points: 9, seconds: 300 },
      mailInterval: { points: 1, seconds: 3723 },
    },
  });
});

test.each([
  ["[auth]\njwt_expiry = '1h'", "auth.jwt_expiry is wrong: "],
  ["[auth]\njwt_expiry = 604801", "auth.jwt_expiry is wrong: "],
  [
    "[auth]\nenable_signup = false",
    "auth.enable_signup is wrong: the embedded Supabase supports only true",
  ],
  [
    "[auth]\nminimum_pasword_length = 8",
    "the embedded Supabase does not support auth.minimum_pasword_length.",
  ],
  [
    "[auth]\nadditional_redirect_urls = ['/x']",
    "auth.additional_redirect_urls.0 is wrong: use full URLs",
  ],
  ["[auth]\nadditional_redirect_urls = ['https://*.x.y']", "supports no wildcards"],
  [
    "[auth.email]\nmax_frequency = '60'",
    'auth.email.max_frequency is wrong: use a duration such as "1m0s"',
  ],
  [
    "[auth.email]\notp_length = 8",
    "auth.email.otp_length is wrong: the embedded Supabase supports only 6",
  ],
  ["[auth.sms]\nenable_signup = true", "the embedded Supabase does not support auth.sms."],
  ["[api]\nschemas = ['public', 'private']", 'the embedded Supabase supports only ["public"]'],
  ["[auth]\n__proto__ = 1", "the embedded Supabase does not support auth.__proto__."],
  ["\n[auth\n", "line 2: Invalid TOML document"],
])("%j is refused in one sentence", async (text, sentence) => {
  await writeFile(file, text);
  const error: unknown = await readConfig(file).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartError);
  const { message } = error as StartError;
  expect(message).toContain(sentence);
  expect(message.startsWith(file)).toBe(true);
  expect(message).not.toContain("\n");
});

test("a missing file is refused with its name", async () => {
  await expect(readConfig(file)).rejects.toThrow(file);
});
