import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Log } from "#embedded/log.ts";
import { networkKey } from "#supabase/shared/address.ts";
import { createLimitLog } from "#supabase/shared/limit-log.ts";
import { AuthError, retryAfter } from "./errors.ts";
import { type AuthSettings, defaultRateLimits, type RateLimits } from "./settings.ts";

export type LimitName = keyof RateLimits;

export interface Limits {
  /** Counts one request. Throws 429 with Retry-After. */
  take(name: LimitName, key: string): Promise<void>;
  /** Counts one request. Returns the milliseconds to wait, at most 5000. */
  delay(name: LimitName, key: string): Promise<number>;
  refund(name: LimitName, key: string): Promise<void>;
}

const delayStepMs = 250;
const maxDelayMs = 5_000;

/** Creates counters in memory: one process serves one database. */
export function createLimits(rateLimits: AuthSettings["rateLimits"], log: Log): Limits {
  const logLimit = createLimitLog(log.warn);
  const limiters = new Map(
    Object.entries({ ...defaultRateLimits, ...rateLimits }).map(([name, { points, seconds }]) => [
      name,
      new RateLimiterMemory({ points, duration: seconds }),
    ]),
  );
  const limiter = (name: LimitName) => {
    const found = limiters.get(name);
    if (!found) {
      throw new Error(`There is no limit named ${name}`);
    }
    return found;
  };
  const count = async (name: LimitName, key: string): Promise<RateLimiterRes | undefined> => {
    try {
      await limiter(name).consume(key);
      return undefined;
    } catch (refused) {
      if (refused instanceof RateLimiterRes) {
        return refused;
      }
      throw refused;
    }
  };
  // The limit of an IPv6 /48 is ten times that of a /64.
  const countNetwork = async (
    name: LimitName,
    key: string,
  ): Promise<RateLimiterRes | undefined> => {
    const network = networkKey(key);
    if (network === undefined) {
      return undefined;
    }
    const counted = await limiter(name).penalty(network);
    return counted.consumedPoints > limiter(name).points * 10 ? counted : undefined;
  };

  return {
    async take(name, key) {
      const refused = (await count(name, key)) ?? (await countNetwork(name, key));
      if (refused) {
        logLimit(name);
        throw rateLimited(name, refused);
      }
    },
    async delay(name, key) {
      const over = await count(name, key);
      const excess = over ? over.consumedPoints - limiter(name).points : 0;
      return Math.min(excess * delayStepMs, maxDelayMs);
    },
    async refund(name, key) {
      await limiter(name).reward(key);
    },
  };
}

function rateLimited(name: LimitName, { msBeforeNext }: RateLimiterRes): AuthError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  const headers = { "Retry-After": String(seconds) };
  switch (name) {
    case "mailAfterHour":
    case "mailAfterDay":
    case "mailFromAddress":
    case "mailToStranger":
      return new AuthError(429, "over_email_send_rate_limit", "email rate limit exceeded", {
        headers,
      });
    case "mailInterval":
      return retryAfter("over_email_send_rate_limit", seconds);
    default:
      return new AuthError(429, "over_request_rate_limit", "Request rate limit reached", {
        headers,
      });
  }
}
