import { readFile } from "node:fs/promises";
import { parse, TomlError } from "smol-toml";
import { z } from "zod";
import type { AuthSettings } from "./auth/settings.ts";
import { reason, StartError } from "./engine/start-error.ts";

type Value = string | number | boolean;

const only = <T extends Value>(value: T) =>
  z.literal(value, `the embedded Supabase supports only ${JSON.stringify(value)}`).default(value);

const listOnly = (...values: string[]) =>
  z
    .array(z.string())
    .refine(
      (list) => JSON.stringify(list) === JSON.stringify(values),
      `the embedded Supabase supports only ${JSON.stringify(values)}`,
    )
    .default(values);

const count = z.int().min(0).max(1_000_000);

/** A duration as Go writes it (`1m0s`), converted to seconds. */
const duration = z
  .string()
  .regex(/^(?=\d)(\d+h)?(\d+m)?(\d+s)?$/, 'use a duration such as "1m0s"')
  .transform((text) => {
    const amount = (unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? 0);
    return amount("h") * 3600 + amount("m") * 60 + amount("s");
  });

const redirectUrl = z
  .url("use full URLs such as https://your.site/welcome")
  .refine((url) => !url.includes("*"), "the embedded Supabase supports no wildcards");

/** Accepted for `supabase config push`, but ignored here. */
const hostedOnly = z.unknown().optional();

const rateLimitSchema = z.strictObject({
  token_refresh: count.default(150),
  sign_in_sign_ups: count.default(30),
  token_verifications: count.default(30),
  email_sent: hostedOnly,
  sms_sent: hostedOnly,
  anonymous_users: hostedOnly,
  web3: hostedOnly,
});

const emailSchema = z.strictObject({
  enable_signup: only(true),
  double_confirm_changes: only(true),
  enable_confirmations: z.boolean().default(false),
  secure_password_change: z.boolean().default(false),
  max_frequency: duration.default(60),
  otp_length: only(6),
  otp_expiry: z.int().min(60).max(86_400).default(3600),
  // The embedded Supabase uses SMTP_URL and the files of supabase/templates.
  smtp: hostedOnly,
  template: hostedOnly,
});

const totpSchema = z.strictObject({
  enroll_enabled: z.boolean().default(false),
  verify_enabled: z.boolean().default(false),
});

const authSchema = z.strictObject({
  enabled: only(true),
  // The embedded Supabase uses SITE_URL.
  site_url: hostedOnly,
  additional_redirect_urls: z.array(redirectUrl).default([]),
  jwt_expiry: z.int().min(60).max(604_800).default(3600),
  enable_refresh_token_rotation: only(true),
  refresh_token_reuse_interval: z.int().min(0).max(300).default(10),
  enable_signup: only(true),
  enable_anonymous_sign_ins: only(false),
  enable_manual_linking: only(false),
  minimum_password_length: z.int().min(6).max(72).default(6),
  password_requirements: only(""),
  rate_limit: rateLimitSchema.prefault({}),
  email: emailSchema.prefault({}),
  mfa: z
    .strictObject({
      max_enrolled_factors: z.int().min(1).max(100).default(10),
      totp: totpSchema.prefault({}),
    })
    .prefault({}),
});

const apiSchema = z.strictObject({
  enabled: only(true),
  schemas: listOnly("public"),
  extra_search_path: listOnly("public", "extensions"),
  max_rows: only(1000),
});

const configSchema = z.looseObject({
  api: apiSchema.prefault({}),
  auth: authSchema.prefault({}),
});

/** Reads the auth settings. Throws StartError for one that is wrong or not supported. */
export async function readConfig(file: string): Promise<AuthSettings> {
  const result = configSchema.safeParse(parseToml(file, await read(file)));
  if (result.success) {
    return authSettings(result.data.auth);
  }
  const [issue] = result.error.issues;
  if (issue?.code === "unrecognized_keys") {
    const name = [...issue.path, issue.keys[0]].join(".");
    throw new StartError(`${file}: the embedded Supabase does not support ${name}.`);
  }
  throw new StartError(`${file}: ${issue?.path.join(".")} is wrong: ${issue?.message}`);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new StartError(`The settings of Supabase cannot be read: ${reason(error)}`);
  }
}

function parseToml(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) {
      throw error;
    }
    const [fault] = error.message.split("\n");
    throw new StartError(`${file}, line ${error.line}: ${fault}`);
  }
}

const perFiveMinutes = (points: number) => ({ points, seconds: 300 });

function authSettings(auth: z.infer<typeof authSchema>): AuthSettings {
  const signIns = perFiveMinutes(auth.rate_limit.sign_in_sign_ups);
  return {
    confirmEmail: auth.email.enable_confirmations,
    jwtExpirySeconds: auth.jwt_expiry,
    refreshReuseSeconds: auth.refresh_token_reuse_interval,
    otpExpirySeconds: auth.email.otp_expiry,
    passwordMinLength: auth.minimum_password_length,
    requireReauthentication: auth.email.secure_password_change,
    redirectAllowList: auth.additional_redirect_urls,
    // The calls that GoTrue limits by these settings (its internal/api/options.go).
    rateLimits: {
      token: perFiveMinutes(auth.rate_limit.token_refresh),
      verify: perFiveMinutes(auth.rate_limit.token_verifications),
      signup: signIns,
      recover: signIns,
      resend: signIns,
      otp: signIns,
      userUpdate: signIns,
      mailInterval: { points: 1, seconds: auth.email.max_frequency },
    },
    totpEnrolEnabled: auth.mfa.totp.enroll_enabled,
    totpVerifyEnabled: auth.mfa.totp.verify_enabled,
    maxFactors: auth.mfa.max_enrolled_factors,
  };
}
