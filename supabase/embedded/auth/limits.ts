import type { Log } from "#embedded/log.ts";
import { retryAfter } from "./errors.ts";

interface CountedMail {
  address: string;
  /** The account's id. */
  account: string;
}

/**
 * The counts that the site keeps for the authentication. Before the call of a form, the site has counted it
 * by address and by account. Each function may reject: a count that fails refuses the call.
 */
export interface Limits {
  /** Counts a request for a mail, also to an unknown address. Returns the seconds to wait, if any. */
  requestMail(kind: string, address: string): Promise<number | null>;
  /** Forgets the requests for a mail that could not be sent. */
  forgetRequest(kind: string, address: string): Promise<void>;
  /** Counts a mail of an account. False if there were too many. */
  sendMail(mail: CountedMail): Promise<boolean>;
}

/** Returns limits that log what they refuse, and whose `requestMail` throws AuthError 429. */
export function loggedLimits(limits: Limits, log: Log) {
  return {
    forgetRequest: limits.forgetRequest,
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
        // This is an error, because people who did nothing may get no mail.
        log.often("error", "A limit was reached", { limit: "mails of accounts" });
      }
      return isAllowed;
    },
  };
}
