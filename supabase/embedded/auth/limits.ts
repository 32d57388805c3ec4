import type { Log } from "#embedded/log.ts";
import { retryAfter } from "./errors.ts";

interface CountedMail {
  address: string;
  /** The account's id. */
  account: string;
}

/**
 * The counts that the site keeps for the authentication. What a form may do by address and by
 * account is counted before the form's call. A count that fails refuses: each function may reject.
 */
export interface Limits {
  /** Counts a request for a mail, also to an unknown address. Returns the seconds to wait, if any. */
  requestMail(kind: string, address: string): Promise<number | null>;
  /** Counts a mail of an account. False if there were too many. */
  sendMail(mail: CountedMail): Promise<boolean>;
  /** Whether mailed codes still count for the address today. */
  acceptsCodes(address: string): Promise<boolean>;
  /** Counts a wrong mailed code for an account's address. */
  countWrongCode(address: string): Promise<void>;
}

/** Returns the limits so that they log what they refuse, and `requestMail` throws AuthError 429. */
export function loggedLimits(limits: Limits, log: Log) {
  return {
    acceptsCodes: limits.acceptsCodes,
    countWrongCode: limits.countWrongCode,
    async requestMail(kind: string, address: string): Promise<void> {
      const seconds = await limits.requestMail(kind, address);
      if (seconds !== null) {
        log.often("warn", "A limit was reached", { limit: "requests for a mail" });
        throw retryAfter("over_email_send_rate_limit", seconds);
      }
    },
    async sendMail(mail: CountedMail): Promise<boolean> {
      const isAllowed = await limits.sendMail(mail);
      if (!isAllowed) {
        // It may keep mails from people who did nothing.
        log.often("error", "A limit was reached", { limit: "mails of accounts" });
      }
      return isAllowed;
    },
  };
}
