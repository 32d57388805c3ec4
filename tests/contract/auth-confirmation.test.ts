import { describe, expect } from "vitest";
import { confirmedAccount } from "#tests/support/auth-accounts.ts";
import {
  mailNumber,
  newClient,
  newEmail,
  password,
  present,
  send,
  signIn,
  proved,
} from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";
import { mailsTo } from "#tests/support/mails.ts";

test.override("authSettings", { confirmEmail: true });

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

describe("sign-up with confirmation on", () => {
  test("opens no session before the mail's link was followed", async ({ server }) => {
    const client = newClient(server);
    const email = newEmail();
    const { data, error } = await client.auth.signUp({ email, password });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({ email, confirmation_sent_at: expect.any(String) as string });
    expect(data.user).not.toHaveProperty("email_confirmed_at");
    expect((await client.auth.signInWithPassword({ email, password })).error).toMatchObject({
      status: 400,
      code: "email_not_confirmed",
    });
    const { code } = await mailNumber(server, email, 1);
    const verified = await client.auth.verifyOtp({ email, token: code, type: "email" });
    expect(present(verified.data).user).toMatchObject({
      id: data.user?.id,
      user_metadata: { email_verified: true },
      identities: [{ identity_data: { email_verified: true } }],
      email_confirmed_at: expect.any(String) as string,
    });
    await signIn(server, email);
  });

  test("keeps the password of simultaneous sign-ups if they agree on it, else none", async ({
    server,
  }) => {
    for (const last of [password, "another one"]) {
      const email = newEmail();
      const { auth } = newClient(server);
      const signUps = [password, password, password, password, last].map((given) =>
        newClient(server).auth.signUp({ email, password: given }),
      );
      for (const { error } of await Promise.all(signUps)) {
        expect(error).toBeNull();
      }
      await mailNumber(server, email, 5);
      await auth.resend({ type: "signup", email });
      const { tokenHash } = await mailNumber(server, email, 6);
      expect((await auth.verifyOtp({ token_hash: tokenHash, type: "signup" })).error).toBeNull();
      const { error } = await auth.signInWithPassword({ email, password });
      expect(error?.code).toBe(last === password ? undefined : "invalid_credentials");
    }
  });

  test("can send the mail again, and a sign-in mail also confirms the address", async ({
    server,
  }) => {
    const { auth } = newClient(server);
    const email = newEmail();
    await auth.signUp({ email, password });
    await mailNumber(server, email, 1);
    expect((await auth.resend({ type: "signup", email })).error).toBeNull();
    await mailNumber(server, email, 2);
    expect((await auth.signInWithOtp({ email })).error).toBeNull();
    const third = await mailNumber(server, email, 3);
    expect(third.file).toContain("magic_link");
    expect((await auth.verifyOtp({ token_hash: third.tokenHash, type: "email" })).error).toBeNull();
  });
});

describe("whether an account exists", () => {
  test("does not show in the time they take", async ({ server }) => {
    const { email } = await confirmedAccount(server);
    for (const path of ["/signup", "/recover", "/token?grant_type=password"]) {
      const ask = (address: string) =>
        timeOf(() =>
          send(server, "POST", path, { body: { email: address, password: "wrong one" } }),
        );
      // The least of some tries: other load slows some of them, a difference all of them.
      let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let mails = 1; mails <= 6; mails += 1) {
        const other = newEmail();
        unknown = Math.min(unknown, await ask(other));
        known = Math.min(known, await ask(email));
        // A mail is made after the response, and must not delay the next one.
        await (path === "/signup" && mailNumber(server, other, 1));
        await (path === "/recover" && mailNumber(server, email, mails + 1));
      }
      expect([path, Math.abs(known - unknown)]).toEqual([
        path,
        expect.toSatisfy((least) => least < Math.max(known, unknown) * 0.5 + 3),
      ]);
    }
  });
});

describe("a new address with confirmation on", () => {
  test("does not reveal whether it is another account's", async ({ server }) => {
    const { client, email } = await confirmedAccount(server);
    const taken = await confirmedAccount(server);
    const { data, error } = await (await proved(client)).auth.updateUser({ email: taken.email });
    expect(error).toBeNull();
    expect(data.user?.new_email).toBe(taken.email);
    await mailNumber(server, email, 2);
    expect(await mailsTo(server, taken.email)).toHaveLength(1);
  });
});
