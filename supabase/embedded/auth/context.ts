import type { Context } from "hono";
import type { Keys } from "#embedded/keys.ts";
import type { Log } from "#embedded/log.ts";
import type { Mailer } from "#embedded/mail/mailer.ts";
import type { SqlPool } from "#embedded/sql.ts";
import { addressKey } from "#supabase/shared/address.ts";
import type { Limits } from "./limits.ts";
import type { Secrets } from "./secrets.ts";

export interface AuthContext {
  db: SqlPool;
  keys: Keys;
  secrets: Secrets;
  confirmEmail: boolean;
  limits: Limits;
  mailer: Mailer;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Log;
  /** Logs that a mailed code or link failed, of many in a minute their count. */
  logWrongMail(kind: "code" | "link"): void;
  siteUrl: string;
}

export interface AuthEnv {
  Bindings: { client: { address: string } };
}
export type AuthRequest = Context<AuthEnv>;

/** Returns the rate limit key of one client and one account. */
export function clientAndAccount(c: AuthRequest, email: string): string {
  return `${addressKey(c.env.client.address)} ${email}`;
}
