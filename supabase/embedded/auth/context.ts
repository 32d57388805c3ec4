import type { Context } from "hono";
import type { Keys } from "#embedded/keys.ts";
import type { Log } from "#embedded/log.ts";
import type { SqlPool } from "#embedded/sql.ts";
import type { loggedLimits } from "./limits.ts";
import type { Mailer } from "./mail.ts";
import type { Secrets } from "./secrets.ts";

export interface AuthContext {
  db: SqlPool;
  keys: Keys;
  secrets: Secrets;
  confirmEmail: boolean;
  limits: ReturnType<typeof loggedLimits>;
  mailer: Mailer;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Log;
  siteUrl: string;
}

export type AuthRequest = Context;
