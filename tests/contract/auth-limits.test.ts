import { describe, expect } from "vitest";
import {
  type AuthServer,
  mailNumber,
  newClient,
  newEmail,
  password,
  send,
  signUp,
  proved,
} from "#tests/support/auth-server.ts";
import { testWith } from "#tests/support/auth-test.ts";
import { mailsTo } from "#tests/support/mails.ts";

const test = testWith({ rateLimits: {} });

const often = { points: 100, seconds: 60 };

const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

/** The status of a form's call from an address. */
const post = async (site: AuthServer, number: number, path: string, body: object) =>
  (await send(site, "POST", path, { body, address: `192.0.2.${number}` })).status;

describe("one stranger's address", () => {
  test("cannot use up the tries of an account's owner", async ({ server: site }) => {
    const { email } = await signUp(site);
    const attempt = (number: number, secret: string) =>
      post(site, number, "/token?grant_type=password", { email, password: secret });
    for (let right = 0; right < 25; right += 1) {
      expect(await attempt(1, password)).toBe(200);
    }
    for (let wrong = 0; wrong < 25; wrong += 1) {
      expect(await attempt(1, "wrong")).toBe(wrong < 20 ? 400 : 429);
    }
    expect(await attempt(1, password)).toBe(429);
    expect(await attempt(2, password)).toBe(200);
  });

  test("cannot use up a mailed code", async ({ server: site }) => {
    const { email } = await signUp(site);
    await post(site, 7, "/recover", { email });
    const { code } = await mailNumber(site, email, 1);
    const wrong = wrongOf(code);
    const attempt = (number: number, token: string) =>
      post(site, number, "/verify", { email, token, type: "recovery" });
    const statuses = [];
    for (let number = 0; number < 7; number += 1) {
      statuses.push(await attempt(1, wrong));
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429]);
    expect(await attempt(2, code)).toBe(200);
  });
});

test("after fifty wrong codes in a day only the links of an account's mails work", async ({
  start,
}) => {
  const site = await start({ rateLimits: { mailInterval: often, mailOfHour: often } });
  const { email } = await signUp(site);
  const tryCode = (number: number, token: string) =>
    post(site, number, "/verify", { email, token, type: "recovery" });
  for (let mail = 1; mail <= 5; mail += 1) {
    await post(site, 100 + mail, "/recover", { email });
    const { code } = await mailNumber(site, email, mail);
    for (let wrong = 0; wrong < 10; wrong += 1) {
      // Five tries of an address.
      expect(await tryCode(mail * 2 + (wrong % 2), wrongOf(code))).toBe(403);
    }
  }
  await post(site, 200, "/recover", { email });
  const { code, tokenHash } = await mailNumber(site, email, 6);
  expect(await tryCode(201, code)).toBe(403);
  const body = { token_hash: tokenHash, type: "recovery" };
  expect(await post(site, 201, "/verify", body)).toBe(200);
});

describe("mails", () => {
  test("are sent once a minute to a mailbox and of a kind, known or not", async ({
    server: site,
  }) => {
    const { email } = await signUp(site);
    const { auth } = newClient(site);
    for (const address of [email, newEmail()]) {
      expect((await auth.resetPasswordForEmail(address)).error).toBeNull();
      const again = await auth.resetPasswordForEmail(address);
      expect(again.error).toMatchObject({
        status: 429,
        code: "over_email_send_rate_limit",
        message: expect.stringMatching(/only request this after \d+ seconds/) as string,
      });
      expect((await auth.resend({ type: "signup", email: address })).error).toBeNull();
    }
  });

  test.for([
    ["six in an hour", 6, {}],
    ["twenty in a day", 20, { mailOfHour: often }],
  ] as const)("of all kinds beyond %s are sent at intervals", async ([, most, more], { start }) => {
    const soon = { points: 1, seconds: 2 };
    const rateLimits = { mailInterval: often, mailAfterHour: soon, mailAfterDay: soon, ...more };
    const site = await start({ rateLimits });
    const email = newEmail();
    let number = 0;
    const ask = (path: string) => {
      number += 1;
      return post(site, number, path, { email, type: "signup" });
    };
    for (let mail = 0; mail < most; mail += 1) {
      expect(await ask(mail % 2 === 0 ? "/recover" : "/resend")).toBe(200);
    }
    expect([await ask("/recover"), await ask("/recover")]).toEqual([200, 429]);
    await expect.poll(() => ask("/otp"), { timeout: 5_000, interval: 500 }).toBe(200);
    expect(await ask("/recover")).toBe(429);
  });

  test("to names of one mailbox count for the mailbox, also by sign-ups", async ({ start }) => {
    const site = await start({ confirmEmail: true, rateLimits: {} });
    for (const path of ["/recover", "/signup"]) {
      const [name] = newEmail().split("@");
      const statuses = [];
      for (let number = 0; number < 10; number += 1) {
        const email = `${name}+${number}@example.com`;
        statuses.push(await post(site, number, path, { email, password }));
      }
      expect([path, statuses]).toEqual([path, [200, 200, 200, 200, 200, 200, 200, 429, 429, 429]]);
    }
  });

  test("that one client requests for many mailboxes are limited, by the /64 of its address", async ({
    server: site,
  }) => {
    const ask = async (address: string) =>
      (await send(site, "POST", "/recover", { body: { email: newEmail() }, address })).status;
    const statuses = [];
    for (let number = 0; number < 22; number += 1) {
      statuses.push(await ask(`2001:db8:0:1::${number}`));
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429]);
    expect(await ask("2001:db8:0:2::1")).toBe(200);
  });

  test("of the whole site are limited, and go on at intervals", async ({ start }) => {
    const soon = { points: 1, seconds: 2 };
    const site = await start({
      rateLimits: { mailOfSite: { points: 3, seconds: 60 }, mailAfterSite: soon },
    });
    let number = 0;
    const ask = () => {
      number += 1;
      return post(site, number, "/recover", { email: newEmail() });
    };
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 200]);
    expect([await ask(), await ask()]).toEqual([200, 429]);
    await expect.poll(ask, { timeout: 5_000, interval: 500 }).toBe(200);
  });

  test("that many accounts request for a stranger's mailbox are limited by the mailbox", async ({
    server: site,
  }) => {
    const email = newEmail();
    const answers = [];
    for (let number = 0; number < 5; number += 1) {
      const { client } = await signUp(site);
      answers.push((await (await proved(client)).auth.updateUser({ email })).error?.code);
    }
    const refused = "over_email_send_rate_limit";
    expect(answers).toEqual([undefined, refused, refused, refused, refused]);
    await mailNumber(site, email, 1);
    expect(await mailsTo(site, email)).toHaveLength(1);
  });
});
