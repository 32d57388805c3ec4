import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Log } from "#embedded/log.ts";
import { addressKey } from "#supabase/shared/address.ts";
import { createLimitLog } from "#supabase/shared/limit-log.ts";
import { AuthError, retryAfter } from "./errors.ts";

interface RateLimit {
  points: number;
  seconds: number;
}

const hour = 3600;
const day = 86_400;

/**
 * The limits of the authentication. What a visitor may do by form is limited by the site
 * (`private.limits`, by address and by account); these guard what that does not count. Wrong codes
 * of second factors are counted in the database (routes/verify-factor.ts).
 */
const rateLimits = {
  /** By address and account. The site's form goes on when its own count fails. */
  wrongPassword: { points: 20, seconds: 600 },
  /** By address and account: less than the ten wrong tries that void a mailed code for all. */
  wrongMailedCode: { points: 5, seconds: 600 },
  /** By account: beyond it only the links of its mails work. */
  wrongCodesOfDay: { points: 50, seconds: day },
  /** By address, to all mailboxes: a list of addresses must not get mails. */
  mailOfClient: { points: 20, seconds: hour },
  /** By kind and mailbox, as GoTrue: a second press of the button sends no second mail. */
  mailInterval: { points: 1, seconds: 60 },
  /** By mailbox without its tag (`name+tag@`), all kinds: mails that many addresses request must not flood it. */
  mailOfHour: { points: 6, seconds: hour },
  mailOfDay: { points: 20, seconds: day },
  /** By mailbox, beyond the two above: requests of strangers must not stop its reset mail. */
  mailAfterHour: { points: 1, seconds: 900 },
  mailAfterDay: { points: 1, seconds: hour },
  /** Of the whole site, so that many addresses together make it no cannon. */
  mailOfSite: { points: 300, seconds: hour },
  mailAfterSite: { points: 1, seconds: 15 },
} satisfies Record<string, RateLimit>;

type LimitName = keyof typeof rateLimits;
export type RateLimits = Record<LimitName, RateLimit>;

export type Limits = ReturnType<typeof createLimits>;

/** Creates counters in memory: one process serves one database. */
export function createLimits(overrides: Partial<RateLimits>, log: Log) {
  const logLimit = createLimitLog(log.warn);
  const limiters = Object.fromEntries(
    Object.entries({ ...rateLimits, ...overrides }).map(([name, { points, seconds }]) => [
      name,
      new RateLimiterMemory({ points, duration: seconds }),
    ]),
  ) as Record<LimitName, RateLimiterMemory>;
  const count = async (name: LimitName, key: string): Promise<RateLimiterRes | undefined> => {
    try {
      await limiters[name].consume(key);
      return undefined;
    } catch (refused) {
      if (refused instanceof RateLimiterRes) {
        return refused;
      }
      throw refused;
    }
  };
  /** Counts one try. Throws AuthError 429 with Retry-After. */
  const take = async (name: LimitName, key: string): Promise<void> => {
    const refused = await count(name, key);
    if (refused) {
      logLimit(name);
      throw rateLimited(name, Math.max(1, Math.ceil(refused.msBeforeNext / 1000)));
    }
  };

  return {
    take,
    /** Takes back a try that was right. */
    async refund(name: LimitName, key: string) {
      await limiters[name].reward(key);
    },
    /** Counts a mail that a client requests, whether the address has an account. Throws like take. */
    async takeMail(kind: string, email: string, client: string) {
      const mailbox = email.replace(/\+[^@]*(?=@)/, "");
      await take("mailOfClient", addressKey(client));
      await take("mailInterval", `${kind} ${email}`);
      if (await count("mailOfDay", mailbox)) {
        await take("mailAfterDay", mailbox);
      }
      if (await count("mailOfHour", mailbox)) {
        await take("mailAfterHour", mailbox);
      }
      if (await count("mailOfSite", "all")) {
        await take("mailAfterSite", "all");
      }
    },
    /** Counts a wrong mailed code for an account's address. */
    async countWrongCode(email: string) {
      if (await count("wrongCodesOfDay", email)) {
        logLimit("wrongCodesOfDay");
      }
    },
    /** Whether mailed codes still count for the address today. */
    async acceptsCodes(email: string) {
      const counted = await limiters.wrongCodesOfDay.get(email);
      return counted === null || counted.remainingPoints > 0;
    },
  };
}

function rateLimited(name: LimitName, seconds: number): AuthError {
  const headers = { "Retry-After": String(seconds) };
  if (name === "mailInterval") {
    return retryAfter("over_email_send_rate_limit", seconds);
  }
  return name === "wrongPassword" || name === "wrongMailedCode"
    ? new AuthError(429, "over_request_rate_limit", "Request rate limit reached", { headers })
    : new AuthError(429, "over_email_send_rate_limit", "email rate limit exceeded", { headers });
}
