import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { AuthError } from "./errors.ts";
import { type AuthSettings, defaultRateLimits, type RateLimits } from "./settings.ts";

export type LimitName = keyof RateLimits;

export interface Limits {
  /** Counts one request; throws 429 with Retry-After when there were too many. */
  take(name: LimitName, key: string): Promise<void>;
  /** Takes back one count. */
  giveBack(name: LimitName, key: string): Promise<void>;
}

/** Counters in memory: one process serves one database. */
export function createLimits(rateLimits: AuthSettings["rateLimits"]): Limits {
  if (rateLimits === false) {
    return { take: async () => {}, giveBack: async () => {} };
  }
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

  return {
    async take(name, key) {
      try {
        await limiter(name).consume(key);
      } catch (refused) {
        throw refused instanceof RateLimiterRes ? tooMany(name, refused) : refused;
      }
    },
    async giveBack(name, key) {
      await limiter(name).reward(key);
    },
  };
}

function tooMany(name: LimitName, { msBeforeNext }: RateLimiterRes): AuthError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  const headers = { "Retry-After": String(seconds) };
  if (name === "mail" || name === "mailFromAddress") {
    return new AuthError(429, "over_email_send_rate_limit", "email rate limit exceeded", {
      headers,
    });
  }
  if (name === "mailInterval") {
    return new AuthError(
      429,
      "over_email_send_rate_limit",
      `For security purposes, you can only request this after ${seconds} seconds.`,
      { headers },
    );
  }
  return new AuthError(429, "over_request_rate_limit", "Request rate limit reached", { headers });
}
