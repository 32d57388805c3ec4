import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect } from "vitest";
import { mailNumber, newEmail, password, sendFrom, signUp } from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";
import { mailsTo } from "#tests/support/mails.ts";

const tokenPath = "/token?grant_type=password";

describe("mails", () => {
  test("requested by one stranger for many accounts are limited by the stranger's address", async ({
    start,
  }) => {
    const site = await start({ rateLimits: { signup: { points: 100, seconds: 300 } } });
    const email = newEmail();
    const askers = [];
    for (let number = 0; number < 12; number += 1) {
      askers.push(await signUp(site));
    }
    const answers = [];
    for (const { client } of askers) {
      answers.push(await client.auth.updateUser({ email }));
    }
    expect(answers.filter(({ error }) => !error)).toHaveLength(1);
    expect(answers.at(-1)?.error).toMatchObject({
      status: 429,
      code: "over_email_send_rate_limit",
    });
    await mailNumber(site, email, 1);
    await sleep(200);
    expect(await mailsTo(site, email)).toHaveLength(1);
  });

  test("are limited per hour too, also when resent", async ({ start }) => {
    const often = { points: 100, seconds: 60 };
    const site = await start({ rateLimits: { mailInterval: often } });
    const email = newEmail();
    const askers = [await signUp(site), await signUp(site), await signUp(site)];
    for (const asker of askers) {
      expect((await asker.client.auth.updateUser({ email })).error).toBeNull();
    }
    for (const asker of askers) {
      // The same response as for an address without an account.
      const again = { type: "email_change", email: asker.email } as const;
      expect((await asker.client.auth.resend(again)).error).toBeNull();
    }
    await mailNumber(site, email, 5);
    await sleep(200);
    expect(await mailsTo(site, email)).toHaveLength(5);
    const late = await signUp(site);
    expect((await late.client.auth.updateUser({ email })).error).toMatchObject({ status: 429 });
  });
});

describe("one stranger's address", () => {
  test("cannot use up the tries of an account's owner, and many addresses only slow them down", async ({
    start,
  }) => {
    const site = await start({ rateLimits: {} });
    const { email } = await signUp(site);
    const attempt = async (address: string, secret: string) =>
      (await sendFrom(site, address, tokenPath, { email, password: secret })).status;
    for (let number = 0; number < 25; number += 1) {
      expect(await attempt("192.0.2.1", "wrong")).toBe(number < 20 ? 400 : 429);
    }
    expect(await attempt("192.0.2.2", password)).toBe(200);
    for (let address = 3; address <= 6; address += 1) {
      for (let number = 0; number < 10; number += 1) {
        expect(await attempt(`192.0.2.${address}`, "wrong")).toBe(400);
      }
    }
    const timeOf = async (address: string) => {
      const begin = performance.now();
      expect(await attempt(address, password)).toBe(200);
      return performance.now() - begin;
    };
    for (let number = 0; number < 4; number += 1) {
      expect(await attempt("192.0.2.7", "wrong")).toBe(400);
    }
    expect(await timeOf("192.0.2.9")).toBeGreaterThan(1200);
    // The account has a session from that address.
    expect(await timeOf("192.0.2.2")).toBeLessThan(1200);
  });

  test("cannot use up a mailed code", async ({ start }) => {
    const site = await start({ rateLimits: {} });
    const { email } = await signUp(site);
    await sendFrom(site, "192.0.2.7", "/recover", { email });
    const { code } = await mailNumber(site, email, 1);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    const attempt = async (address: string, token: string) =>
      (await sendFrom(site, address, "/verify", { email, token, type: "recovery" })).status;
    const statuses = [];
    for (let number = 0; number < 7; number += 1) {
      statuses.push(await attempt("192.0.2.1", wrong));
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429]);
    expect(await attempt("192.0.2.2", code)).toBe(200);
  });
});
