import type { Context } from "hono";
import type { Keys } from "#embedded/keys.ts";
import type { Log } from "#embedded/log.ts";
import type { SqlPool } from "#embedded/sql.ts";
import type { Background } from "./background.ts";
import type { loggedLimits } from "./limits.ts";
import type { AccountChange, Mail, MailOutcome } from "./mail.ts";
import type { Secrets } from "./secrets.ts";

export interface AuthContext {
  db: SqlPool;
  keys: Keys;
  secrets: Secrets;
  /** Whether new accounts confirm their address before they can sign in. */
  confirmEmail: boolean;
  limits: ReturnType<typeof loggedLimits>;
  background: Background;
  /** Writes and sends a mail. Never rejects. */
  sendMail(mail: Mail): Promise<MailOutcome> | undefined;
  /** Called after a change, with the address that the account had before. */
  onAccountChange(change: AccountChange, email: string): void;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Log;
  siteUrl: string;
}

export type AuthRequest = Context;
