import type { Context } from "hono";
import type { Sql } from "postgres";
import type { Keys } from "#embedded/keys.ts";
import type { Log } from "#embedded/log.ts";
import type { Mailer } from "#embedded/mail/mailer.ts";
import { addressKey, readAddress } from "#supabase/shared/address.ts";
import type { Limits } from "./limits.ts";
import type { Secrets } from "./secrets.ts";
import type { AuthSettings } from "./settings.ts";

export interface AuthContext {
  db: Sql;
  keys: Keys;
  secrets: Secrets;
  settings: AuthSettings;
  limits: Limits;
  mailer: Mailer;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Log;
  siteUrl: string;
  allowedRedirect: (wanted: string | undefined) => string;
}

export interface AuthEnv {
  Bindings: { client: { address: string } };
}
export type AuthRequest = Context<AuthEnv>;

/** The client's address for a column of type inet, or null if it cannot be read. */
export function clientIp(c: AuthRequest): string | null {
  return readAddress(c.env.client.address) ?? null;
}

/** The key of limits for one client and one account. */
export function clientAndAccount(c: AuthRequest, email: string): string {
  return `${addressKey(c.env.client.address)} ${email}`;
}
