import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#embedded/log.ts";
import { errorName } from "./errors.ts";

/** The mails with a link and a code. */
export type LinkTemplate = "confirmation" | "recovery" | "magic_link" | "email_change";

/** The mails about a change of an account, or an attempt at one. Hosted Supabase has none of them. */
export type AccountChange =
  | "password_changed"
  | "email_requested"
  | "email_changed"
  | "factor_added"
  | "factor_removed"
  | "codes_renewed"
  | "device_added"
  | "wrong_codes";

/** The variables have the names of hosted Supabase's templates. */
type Variables = Record<
  "SiteURL" | "RedirectTo" | "TokenHash" | "Token" | "Email" | "NewEmail",
  string
>;

/** A mail for whoever writes and sends it. The values of the variables may be any text. */
export type Mail = { to: string } & (
  | { template: LinkTemplate; variables: Variables }
  | { template: AccountChange; variables: Pick<Variables, "Email" | "SiteURL"> }
);

export interface Mailer {
  /** Finds what to mail after the response, whose time would reveal whether an account exists. */
  send(find: () => Promise<Mail[]>): void;
  /** Waits at most three seconds for mails that are not handed over yet. */
  close(): Promise<void>;
}

const closeTimeoutMs = 3_000;

export function createMailer(sendMail: (mail: Mail) => void, log: Log): Mailer {
  const pending = new Set<Promise<void>>();
  async function run(find: () => Promise<Mail[]>) {
    try {
      (await find()).forEach(sendMail);
    } catch (error) {
      log.error("auth: a mail could not be made", { error: errorName(error) });
    }
  }
  return {
    send(find) {
      const work = run(find).finally(() => pending.delete(work));
      pending.add(work);
    },
    async close() {
      await Promise.race([Promise.all(pending), sleep(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
}
