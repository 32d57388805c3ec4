import { mailsTo } from "embedded-supabase/testing";
import { afterAll, describe, expect, test } from "vitest";
import { accountLimits } from "#app/server/backend/account-limits.ts";
import { newClient, newEmail, send, signUp, startAuthServer } from "#tests/support/auth-server.ts";
import { silentLog } from "#tests/support/log.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const told: unknown[] = [];
const shared = await startAuthServer({
  limits: accountLimits,
  log: { ...silentLog, often: (...event) => void told.push(event) },
});
afterAll(() => shared.close());

/** The status of a form's call. */
const post = async (path: string, body: object) =>
  (await send(shared, "POST", path, { body })).status;

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

  test("beyond those of an hour are not sent, as nobody can see, and the log tells it", async () => {
    await withSuperuser(shared.dataDir, async (sql) => {
      await sql`truncate private.attempts`;
      await sql`update private.limits set points = 1 where name = 'account-mails'`;
    });
    const { email } = await signUp(shared);
    for (const path of ["/recover", "/otp"]) {
      expect(await post(path, { email })).toBe(200);
    }
    const refusal = ["error", "A limit was reached", { limit: "mails of accounts" }];
    await expect.poll(() => told).toContainEqual(refusal);
    await expect.poll(() => mailsTo(shared, email)).toHaveLength(1);
  });
});
