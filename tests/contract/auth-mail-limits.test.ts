import { expect } from "vitest";
import { defaultRateLimits } from "#embedded/auth/settings.ts";
import { newEmail, sendFrom } from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";

test.for([
  ["six in an hour", "mail", "mailAfterHour"],
  ["twenty in a day", "mailOfDay", "mailAfterDay"],
] as const)(
  "mails of all kinds beyond %s are sent at intervals",
  async ([, within, after], { start }) => {
    const [often, many] = [
      { points: 100, seconds: 60 },
      { points: 100, seconds: 3600 },
    ];
    const site = await start({
      rateLimits: {
        mailInterval: often,
        mail: many,
        [within]: { points: 2, seconds: 3600 },
        [after]: { points: 1, seconds: 2 },
      },
    });
    const email = newEmail();
    let number = 0;
    const ask = async (path: string, body = {}) => {
      number += 1;
      return (await sendFrom(site, `192.0.2.${number}`, path, { email, ...body })).status;
    };
    expect(await ask("/recover")).toBe(200);
    expect(await ask("/resend", { type: "signup" })).toBe(200);
    expect([await ask("/recover"), await ask("/recover")]).toEqual([200, 429]);
    expect(await ask("/resend", { type: "email_change" })).toBe(429);
    await expect.poll(() => ask("/recover"), { timeout: 5_000, interval: 500 }).toBe(200);
    expect(await ask("/recover")).toBe(429);
    expect(defaultRateLimits).toMatchObject({
      mail: { points: 6, seconds: 3600 },
      mailOfDay: { points: 20, seconds: 86_400 },
    });
  },
);
