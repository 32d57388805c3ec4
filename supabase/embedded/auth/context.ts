import type { Context } from "hono";
import type { Sql } from "postgres";
import { readAddress } from "../address.ts";
import type { Keys } from "../keys.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { Limits } from "./limits.ts";
import type { Secrets } from "./secrets.ts";
import type { AuthSettings } from "./settings.ts";

/** What every handler of /auth/v1 works with. */
export interface AuthContext {
  db: Sql;
  keys: Keys;
  secrets: Secrets;
  settings: AuthSettings;
  limits: Limits;
  mailer: Mailer;
  /** Milliseconds since 1970. */
  now: () => number;
  siteUrl: string;
  allowedRedirect: (wanted: string | undefined) => string;
}

export interface AuthEnv {
  Bindings: { client: { address: string } };
}
export type AuthRequest = Context<AuthEnv>;

/** The client's address as PostgreSQL takes it for `inet`, or null when it is not known. */
export function clientIp(c: AuthRequest): string | null {
  return readAddress(c.env.client.address) ?? null;
}
