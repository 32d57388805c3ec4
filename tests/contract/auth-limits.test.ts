import { mailsTo } from "embedded-supabase/testing";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { accountLimits } from "#app/server/account-limits.ts";
import {
  type AuthServer,
  mailNumber,
  newClient,
  newEmail,
  proved,
  send,
  signUp,
  startAuthServer,
} from "#tests/support/auth-server.ts";
import { silentLog } from "#tests/support/log.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const startLimited = (log = silentLog) => startAuthServer({ limits: accountLimits, log });
const shared = await startLimited();
afterAll(() => shared.close());

/** Changes how many there may be of limits. */
const allow = (site: AuthServer, points: number, names: string[]) =>
  withSuperuser(
    site.dataDir,
    (sql) => sql`update private.limits set points = ${points} where name = any (${names})`,
  );

const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

/** The status of a form's call. */
const post = async (site: AuthServer, path: string, body: object) =>
  (await send(site, "POST", path, { body })).status;

test("after fifty wrong codes in a day only the links of an account's mails work", async () => {
  const { email } = await signUp(shared);
  await post(shared, "/recover", { email });
  const { code, tokenHash } = await mailNumber(shared, email, 1);
  await withSuperuser(
    shared.dataDir,
    (sql) => sql`select public.count_wrong_code(${email}) from generate_series(1, 49)`,
  );
  const tryCode = (token: string) => post(shared, "/verify", { email, token, type: "recovery" });
  expect([await tryCode(wrongOf(code)), await tryCode(code)]).toEqual([403, 403]);
  const body = { token_hash: tokenHash, type: "recovery" };
  expect(await post(shared, "/verify", body)).toBe(200);
});

describe("mails", () => {
  test("are sent once a minute to a mailbox and of a kind, known or not", async () => {
    const { email } = await signUp(shared);
    const { auth } = newClient(shared);
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

  test("that many accounts request for a stranger's mailbox are limited by the mailbox", async () => {
    const email = newEmail();
    const answers = [];
    for (let number = 0; number < 5; number += 1) {
      const { client } = await signUp(shared);
      answers.push((await (await proved(client)).auth.updateUser({ email })).error?.code);
    }
    const refused = "over_email_send_rate_limit";
    expect(answers).toEqual([undefined, refused, refused, refused, refused]);
    await mailNumber(shared, email, 1);
    expect(mailsTo(shared, email)).toHaveLength(1);
  });

  test("beyond those of an hour are not sent, as nobody can see, and the log tells it", async () => {
    const told: unknown[] = [];
    const site = await startLimited({
      ...silentLog,
      often: (...event) => void told.push(event),
    });
    onTestFinished(() => site.close());
    await allow(site, 1, ["account-mails"]);
    const { email } = await signUp(site);
    for (const path of ["/recover", "/otp"]) {
      expect(await post(site, path, { email })).toBe(200);
    }
    const refusal = ["error", "A limit was reached", { limit: "mails of accounts" }];
    await expect.poll(() => told).toContainEqual(refusal);
    expect(mailsTo(site, email)).toHaveLength(1);
  });
});
