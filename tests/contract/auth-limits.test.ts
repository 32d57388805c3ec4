import { describe, expect } from "vitest";
import {
  enrol,
  newClient,
  newEmail,
  password,
  send,
  sendFrom,
  signUp,
} from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";

const tooMany = { status: 429, code: "over_request_rate_limit" };

describe("limits", () => {
  test("count a client address over all accounts, and return the time to wait", async ({
    start,
  }) => {
    const site = await start({ rateLimits: { token: { points: 3, seconds: 300 } } });
    const { auth } = newClient(site);
    for (let count = 0; count < 3; count += 1) {
      expect((await auth.signInWithPassword({ email: newEmail(), password })).error).toMatchObject({
        status: 400,
      });
    }
    expect((await auth.signInWithPassword({ email: newEmail(), password })).error).toMatchObject(
      tooMany,
    );
    const path = "/token?grant_type=password";
    const body = { email: newEmail(), password };
    const refused = await send(site, "POST", path, { body });
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(290);
    expect(seconds).toBeLessThanOrEqual(300);
    expect((await sendFrom(site, "192.0.2.1", path, body)).status).toBe(400);
    expect((await send(site, "GET", "/settings")).status).toBe(200);
  });

  test("slow down wrong passwords for one account from all addresses together", async ({
    start,
  }) => {
    const site = await start({ rateLimits: { wrongPassword: { points: 4, seconds: 300 } } });
    const { email } = await signUp(site);
    const attempt = (number: number, secret: string, address = email) =>
      sendFrom(site, `192.0.2.${number}`, "/token?grant_type=password", {
        email: address,
        password: secret,
      });
    for (let right = 0; right < 6; right += 1) {
      expect((await attempt(right, password)).status).toBe(200);
    }
    const begin = performance.now();
    const wrong = await Promise.all(
      [11, 12, 13, 14, 15, 16].map((number) => attempt(number, "wrong")),
    );
    expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([400]));
    expect(performance.now() - begin).toBeGreaterThan(500);
    // An address without a session of the account waits too, and is not refused.
    const late = performance.now();
    expect((await attempt(9, password)).status).toBe(200);
    expect(performance.now() - late).toBeGreaterThan(750);
  });

  test("do not let one address lock an account's owner out", async ({ start }) => {
    const site = await start({
      rateLimits: { wrongPasswordFromAddress: { points: 2, seconds: 600 } },
    });
    const { email } = await signUp(site);
    const attempt = async (number: number, secret: string) => {
      const body = { email, password: secret };
      const path = "/token?grant_type=password";
      return (await sendFrom(site, `192.0.2.${number}`, path, body)).status;
    };
    for (let right = 0; right < 4; right += 1) {
      expect(await attempt(1, password)).toBe(200);
    }
    expect([await attempt(1, "wrong"), await attempt(1, "wrong")]).toEqual([400, 400]);
    expect(await attempt(1, password)).toBe(429);
    expect(await attempt(2, password)).toBe(200);
  });

  test("count mails per account and kind, for known and unknown addresses", async ({ start }) => {
    const site = await start({
      rateLimits: {
        mailInterval: { points: 1, seconds: 60 },
        mail: { points: 1, seconds: 3600 },
      },
    });
    const { email } = await signUp(site);
    const { auth } = newClient(site);
    for (const address of [email, newEmail()]) {
      expect((await auth.resetPasswordForEmail(address)).error).toBeNull();
      expect((await auth.resetPasswordForEmail(address)).error).toMatchObject({
        status: 429,
        code: "over_email_send_rate_limit",
        message: expect.stringMatching(/only request this after \d+ seconds/) as string,
      });
      expect((await auth.resend({ type: "signup", email: address })).error).toBeNull();
      expect((await auth.resend({ type: "email_change", email: address })).error).toMatchObject({
        status: 429,
        message: "email rate limit exceeded",
      });
    }
  });

  test("do not let one address use up an account's mails", async ({ start }) => {
    const site = await start({
      rateLimits: {
        mailInterval: { points: 100, seconds: 60 },
        mailFromAddress: { points: 2, seconds: 3600 },
        mail: { points: 2, seconds: 3600 },
      },
    });
    const email = newEmail();
    const ask = async (number: number, to = email) =>
      (await sendFrom(site, `192.0.2.${number}`, "/recover", { email: to })).status;
    expect([await ask(1), await ask(1), await ask(1), await ask(1)]).toEqual([200, 200, 429, 429]);
    expect(await ask(1, newEmail())).toBe(200);
    expect([await ask(2), await ask(2), await ask(3)]).toEqual([200, 429, 429]);
  });

  test("count wrong codes of factors", async ({ start }) => {
    const site = await start({
      rateLimits: {
        factorChallenge: { points: 2, seconds: 60 },
        factorVerify: { points: 2, seconds: 60 },
      },
    });
    const { client } = await signUp(site);
    const { id: factorId } = await enrol(client);
    const { data } = await client.auth.mfa.challenge({ factorId });
    await client.auth.mfa.challenge({ factorId });
    expect((await client.auth.mfa.challenge({ factorId })).error).toMatchObject(tooMany);
    const verify = () =>
      client.auth.mfa.verify({ factorId, challengeId: data?.id ?? "", code: "000000" });
    await verify();
    await verify();
    expect((await verify()).error).toMatchObject(tooMany);
  });

  test("count an address's guesses at a mailed code", async ({ start }) => {
    const site = await start({ rateLimits: { verify: { points: 2, seconds: 300 } } });
    const { auth } = newClient(site);
    const guess = () => auth.verifyOtp({ email: newEmail(), token: "000000", type: "recovery" });
    expect((await guess()).error).toMatchObject({ status: 403 });
    expect((await guess()).error).toMatchObject({ status: 403 });
    expect((await guess()).error).toMatchObject(tooMany);
  });

  test("do not lock an account's owner out with the default settings", async ({ start }) => {
    const site = await start({ rateLimits: {} });
    const { email } = await signUp(site);
    const signIn = async (number: number, secret: string) => {
      const body = { email, password: secret };
      return (await sendFrom(site, `192.0.2.${number}`, "/token?grant_type=password", body)).status;
    };
    for (let count = 0; count < 40; count += 1) {
      await signIn(1, "wrong");
    }
    expect(await signIn(2, password)).toBe(200);
  });

  test("are GoTrue's with the default settings", async ({ start }) => {
    const site = await start({ rateLimits: {} });
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1) {
      statuses.push((await send(site, "POST", "/recover", { body: {} })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 400), 429]);
  });
});
