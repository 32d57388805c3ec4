import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { z } from "zod";
import { asciiDomain, isAccountEmail } from "#app/lib/email.ts";
import { StartError } from "#app/lib/start-error.ts";
import {
  databaseUrlSchema,
  mailServerSchema,
  notificationUrlSchema,
  senderSchema,
  siteUrlSchema,
  supabaseUrlSchema,
} from "./address-settings.ts";

/** The folder of package.json. Relative paths in settings start here. */
export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

const folderPath = z
  .string()
  .refine((text) => !text.startsWith("~"), "write the whole path, only a shell expands ~")
  .transform((text) => resolve(projectRoot, text));

/** Refuses "1": proxy-addr reads it as an IPv4 address, other servers as a number of proxies. */
const isProxy = (entry: string) => /[.:]|^(loopback|linklocal|uniquelocal)$/.test(entry);

/** A header takes no other characters. */
const keySchema = z.string().regex(/^[!-~]+$/, "must be Latin letters, digits and signs only");

/** Whether it is one of the two kinds: sb_secret_…, or a JWT of service_role. */
function isSecretKey(key: string): boolean {
  const [, payload = ""] = key.split(".");
  const claims = Buffer.from(payload, "base64url").toString();
  return key.startsWith("sb_secret_") || /"role":\s*"service_role"/.test(claims);
}

const portFault = "must be a number from 1 to 65535";

const settingsSchema = z.object({
  PORT: z.coerce
    .number(portFault)
    .int(portFault)
    .min(1, portFault)
    .max(65_535, portFault)
    .default(3000),
  HOST: z.string().default("127.0.0.1"),
  SITE_URL: siteUrlSchema.optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(",").map((entry) => entry.trim()))
    .refine((list) => list.every(isProxy), "give addresses, ranges such as 10.0.0.0/8, or loopback")
    .optional(),
  SITE_OWNER_EMAIL: z
    .string()
    .transform(asciiDomain)
    .refine(isAccountEmail, "must be an e-mail address")
    .optional(),

  SUPABASE_URL: supabaseUrlSchema.optional(),
  /** What is called with it is called for anybody. */
  SUPABASE_PUBLISHABLE_KEY: keySchema
    .refine((key) => !isSecretKey(key), "this is the secret key, which opens the whole database")
    .optional(),
  SUPABASE_SECRET_KEY: keySchema
    .refine(isSecretKey, "give the key sb_secret_… of the project, or its service_role key")
    .optional(),
  /** For backups and the other commands. */
  SUPABASE_DB_URL: databaseUrlSchema.optional(),

  LOG_FORMAT: z.enum(["text", "json"]).default("text"),

  DATA_DIR: folderPath.prefault(".data"),
  /** Where the nightly backups go. */
  BACKUP_DIR: folderPath.optional(),
  BACKUP_PASSPHRASE: z.string().min(12, "give 12 characters or more").optional(),
  /** Whether new accounts confirm their address; with SITE_OWNER_EMAIL they always do. */
  CONFIRM_EMAIL: z.stringbool().optional(),
  SMTP_URL: mailServerSchema.optional(),
  MAIL_FROM: senderSchema.optional(),
  /** The webhook for new messages: a POST of {text, url}. */
  NOTIFICATION_URL: notificationUrlSchema.optional(),
  /** Which notifications quote the messages. */
  NOTIFICATION_BODY: z.enum(["none", "mail", "all"]).default("mail"),
});

export type Env = z.infer<typeof settingsSchema>;

const outsideOnly = ["SUPABASE_SECRET_KEY", "SUPABASE_DB_URL"] as const;

/** Settings that do not go together: whether they stand so, and what to do. */
function contradictions(env: Env): [boolean, string][] {
  const has = (name: keyof Env) => env[name] !== undefined;
  const isOutside = has("SUPABASE_URL");
  return [
    [
      has("SUPABASE_PUBLISHABLE_KEY") && !isOutside,
      "SUPABASE_PUBLISHABLE_KEY is set without SUPABASE_URL: set both, or neither.",
    ],
    [
      has("SITE_OWNER_EMAIL") && isOutside,
      "SITE_OWNER_EMAIL is for the embedded Supabase: name the owner by SQL (.github/DEPLOY.md).",
    ],
    [
      has("CONFIRM_EMAIL") && isOutside,
      "CONFIRM_EMAIL is for the embedded Supabase: set it in yours.",
    ],
    [
      has("SITE_OWNER_EMAIL") && env.CONFIRM_EMAIL === false,
      "CONFIRM_EMAIL=false is set beside SITE_OWNER_EMAIL: anybody could sign up with the owner's address. Leave it out.",
    ],
    ...outsideOnly.map((name): [boolean, string] => [
      has(name) && !isOutside,
      `${name} is set without SUPABASE_URL: it is for an outside Supabase only.`,
    ]),
    [
      has("BACKUP_DIR") && isOutside && !has("SUPABASE_DB_URL"),
      "BACKUP_DIR is set without SUPABASE_DB_URL: a backup connects to the database of SUPABASE_URL.",
    ],
    [
      `${env.BACKUP_DIR}/`.startsWith(`${env.DATA_DIR}/`),
      "BACKUP_DIR is inside DATA_DIR: set it to another folder, so that the backups are not lost with the data.",
    ],
    [has("SMTP_URL") && !has("MAIL_FROM"), "SMTP_URL is set without MAIL_FROM: set both."],
    [has("MAIL_FROM") && !has("SMTP_URL"), "MAIL_FROM is set without SMTP_URL: set both."],
  ];
}

const schema = settingsSchema.superRefine((env, context) => {
  for (const [isWrong, message] of contradictions(env)) {
    if (isWrong) {
      context.addIssue({ code: "custom", message });
    }
  }
});

/** Reads `file`, then the environment, which wins. A blank setting is none. @throws {StartError} for the first wrong setting */
export function readEnv(file = join(projectRoot, ".env")): Env {
  const given = Object.entries({ ...readEnvFile(file), ...process.env });
  const result = schema.safeParse(Object.fromEntries(given.filter(([, value]) => value !== "")));
  if (result.success) {
    return result.data;
  }
  const [issue] = result.error.issues;
  const name = issue?.path.join(".");
  throw new StartError(name ? `${name} is wrong: ${issue?.message}` : `${issue?.message}`);
}

/** Checks what the site needs besides SUPABASE_URL, and its commands do not. @throws {StartError} */
export function requireKeys(env: Env): void {
  for (const name of ["SUPABASE_PUBLISHABLE_KEY", "SUPABASE_SECRET_KEY"] as const) {
    if (env.SUPABASE_URL !== undefined && env[name] === undefined) {
      // The first sentence is the Supabase client's own.
      throw new StartError(`supabaseKey is required. Set ${name} beside SUPABASE_URL.`);
    }
  }
}

function readEnvFile(path: string): NodeJS.Dict<string> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") {
      return {};
    }
    throw new StartError(`The settings in ${path} cannot be read: ${code}`);
  }
  const given = parseEnv(text.replace(/^\u{FEFF}/u, ""));
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(settingsSchema.shape, name));
  if (unknown !== undefined) {
    throw new StartError(
      `${path}: ${unknown} is not a setting of the site (see .github/DEPLOY.md).`,
    );
  }
  return given;
}
