import { existsSync } from "node:fs";
import { z } from "zod";
import { StartError } from "./start-error.ts";

const blankIsAbsent = (value: unknown) => (value === "" ? undefined : value);
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsAbsent, schema.optional());
const flag = z.preprocess(blankIsAbsent, z.stringbool().default(false));

const isLoopback = (hostname: string) => ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

const schema = z
  .object({
    PORT: z.preprocess(blankIsAbsent, z.coerce.number().int().min(1).max(65_535).default(3000)),
    HOST: z.preprocess(blankIsAbsent, z.string().default("127.0.0.1")),
    SITE_URL: optional(
      z.url({ protocol: /^https?$/ }).refine((value) => {
        const url = new URL(value);
        return url.protocol === "https:" || isLoopback(url.hostname);
      }, "must start with https:// (http:// is for localhost only)"),
    ),
    TRUSTED_PROXIES: optional(z.string().transform((list) => list.split(",").map((s) => s.trim()))),
    SITE_OWNER_EMAIL: optional(z.email()),

    SUPABASE_URL: optional(z.url({ protocol: /^https?$/ })),
    SUPABASE_PUBLISHABLE_KEY: optional(z.string()),
    SITE_SECRET: optional(z.string().min(32)),

    DATA_DIR: z.preprocess(blankIsAbsent, z.string().default(".data")),
    SUPABASE_MIGRATIONS_DIR: z.preprocess(blankIsAbsent, z.string().default("supabase/migrations")),
    CONFIRM_EMAIL: flag,
    SMTP_URL: optional(z.url({ protocol: /^smtps?$/ })),
    MAIL_FROM: optional(z.string()),
  })
  .superRefine((env, context) => {
    if (env.SUPABASE_URL && !env.SUPABASE_PUBLISHABLE_KEY) {
      // The Supabase client's own words, which the specification's catalogue asks for.
      context.addIssue({ code: "custom", message: "supabaseKey is required." });
    }
    if (env.SUPABASE_PUBLISHABLE_KEY && !env.SUPABASE_URL) {
      context.addIssue({
        code: "custom",
        message: "SUPABASE_PUBLISHABLE_KEY is set without SUPABASE_URL: set both, or neither.",
      });
    }
    if (env.SITE_OWNER_EMAIL && env.SUPABASE_URL) {
      context.addIssue({
        code: "custom",
        message: "SITE_OWNER_EMAIL is for the embedded Supabase: name the owner by SQL (README).",
      });
    }
    if (env.SUPABASE_URL && (env.CONFIRM_EMAIL || env.SMTP_URL || env.MAIL_FROM)) {
      context.addIssue({
        code: "custom",
        message:
          "CONFIRM_EMAIL, SMTP_URL and MAIL_FROM are for the embedded Supabase: set them in yours.",
      });
    }
    if (env.SITE_SECRET && !env.SUPABASE_URL) {
      context.addIssue({
        code: "custom",
        message: "SITE_SECRET is set without SUPABASE_URL: it is for an outside Supabase only.",
      });
    }
    if (env.SMTP_URL && !env.MAIL_FROM) {
      context.addIssue({ code: "custom", message: "SMTP_URL is set without MAIL_FROM: set both." });
    }
  });

export type Env = z.infer<typeof schema>;

/**
 * Reads the settings, once, at start: the environment's, and under them those of a file .env.
 * @throws {StartError} with one sentence for the first setting that is wrong
 */
export function readEnv(): Env {
  if (existsSync(".env")) process.loadEnvFile();
  const result = schema.safeParse(process.env);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = issue?.path.join(".");
  throw new StartError(name ? `${name} is wrong: ${issue?.message}` : `${issue?.message}`);
}
