import { setTimeout as sleep } from "node:timers/promises";
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

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

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

test.for(["recovery", "magiclink"] as const)(
  "the password of a stranger's sign-up is void after the owner's own mail: %s",
  async (type, { server }) => {
    const email = newEmail();
    await newClient(server).auth.signUp({ email, password });
    await mailNumber(server, email, 1);
    const { auth } = newClient(server);
    const asked =
      type === "recovery"
        ? await auth.resetPasswordForEmail(email)
        : await auth.signInWithOtp({ email });
    expect(asked.error).toBeNull();
    const { tokenHash } = await mailNumber(server, email, 2);
    expect((await auth.verifyOtp({ token_hash: tokenHash, type })).error).toBeNull();
    await expect(signIn(server, email)).rejects.toMatchObject({ code: "invalid_credentials" });
  },
);

describe("whether an account exists", () => {
  test("does not show in the time they take", async ({ server }) => {
    const { email } = await confirmedAccount(server);
    const rounds = 15;
    const times: Record<string, { known: number[]; unknown: number[] }> = {};
    for (let round = 0; round < rounds; round += 1) {
      for (const path of ["/signup", "/recover", "/token?grant_type=password"]) {
        const ask = (address: string) => () =>
          send(server, "POST", path, { body: { email: address, password: "wrong one" } });
        const { known, unknown } = (times[path] ??= { known: [], unknown: [] });
        unknown.push(await timeOf(ask(newEmail())));
        known.push(await timeOf(ask(email)));
        // The mail is made after the response, and must not delay the next one.
        await sleep(30);
      }
    }
    for (const { known, unknown } of Object.values(times)) {
      const [a, b] = [median(known), median(unknown)];
      expect(Math.abs(a - b)).toBeLessThan(Math.max(a, b) * 0.5 + 3);
    }
  });
});

describe("a new address with confirmation on", () => {
  test("needs a confirmation from both addresses", async ({ server }) => {
    const { client, email } = await confirmedAccount(server);
    const wanted = newEmail();
    expect((await (await proved(client)).auth.updateUser({ email: wanted })).error).toBeNull();
    const toNew = await mailNumber(server, wanted, 1);
    const toOld = await mailNumber(server, email, 2);
    const first = await client.auth.verifyOtp({
      token_hash: toNew.tokenHash,
      type: "email_change",
    });
    expect(first).toMatchObject({ data: { session: null }, error: null });
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
    const again = await client.auth.verifyOtp({
      token_hash: toNew.tokenHash,
      type: "email_change",
    });
    expect(again.error).toMatchObject({ code: "otp_expired" });
    const second = await client.auth.verifyOtp({ email, token: toOld.code, type: "email_change" });
    expect(present(second.data).user.email).toBe(wanted);
  });

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
