import { describe, expect } from "vitest";
import { confirmedAccount } from "#tests/support/auth-accounts.ts";
import {
  mailNumber,
  newClient,
  newEmail,
  password,
  proved,
  send,
} from "#tests/support/auth-server.ts";
import { testWith } from "#tests/support/auth-test.ts";
import type { TestServer } from "#tests/support/embedded-server.ts";
import { mailsTo } from "#tests/support/mails.ts";

const test = testWith({ confirmEmail: true });

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

describe("sign-up with confirmation on", () => {
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
});

test("whether an account exists does not show in the time they take", async ({ server }) => {
  const { email } = await confirmedAccount(server);
  for (const path of ["/signup", "/recover", "/token?grant_type=password"]) {
    const ask = (address: string) =>
      timeOf(() => send(server, "POST", path, { body: { email: address, password: "wrong one" } }));
    // The least of six tries, or of more on a busy machine: load slows some, a difference all of them.
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const isEqual = () => Math.abs(known - unknown) < Math.max(known, unknown) * 0.5 + 3;
    for (let mails = 1; mails <= 6 || (mails <= 40 && !isEqual()); mails += 1) {
      const other = newEmail();
      unknown = Math.min(unknown, await ask(other));
      known = Math.min(known, await ask(email));
      // A mail is made after the response, and must not delay the next one.
      await (path === "/signup" && mailNumber(server, other, 1));
      await (path === "/recover" && mailNumber(server, email, mails + 1));
    }
    expect({ path, known, unknown, isEqual: isEqual() }).toMatchObject({ isEqual: true });
  }
});

test("a new address with confirmation on does not reveal whether it is another account's", async ({
  server,
}) => {
  const { client, email } = await confirmedAccount(server);
  const taken = await confirmedAccount(server);
  const { data, error } = await (await proved(client)).auth.updateUser({ email: taken.email });
  expect(error).toBeNull();
  expect(data.user?.new_email).toBe(taken.email);
  await mailNumber(server, email, 2);
  expect(await mailsTo(server, taken.email)).toHaveLength(1);
});

function redeem(on: TestServer, token_hash: string) {
  return send(on, "POST", "/verify", { body: { token_hash, type: "email_change" } });
}

test("an address changes by a mail to the new one, not by two mails to the old one", async ({
  server,
}) => {
  const { email, client } = await confirmedAccount(server);
  await (await proved(client)).auth.updateUser({ email: "owner@example.com" });
  const follow = async (count: number) => {
    const mail = await mailNumber(server, email, count);
    return redeem(server, mail.tokenHash);
  };
  expect((await follow(2)).json).not.toHaveProperty("access_token");
  await (await proved(client)).auth.updateUser({ email: "owner@example.com" });
  expect((await follow(3)).json).not.toHaveProperty("access_token");
  const { data } = await client.auth.getUser();
  expect(data.user?.email).toBe(email);

  const { tokenHash: own } = await mailNumber(server, "owner@example.com", 2);
  expect((await redeem(server, own)).json).toHaveProperty("access_token");
});

test("a code or link mailed for one address does not confirm another", async ({ server }) => {
  const { email, client } = await confirmedAccount(server);
  const { email: taken } = await confirmedAccount(server);
  const first = newEmail();
  await (await proved(client)).auth.updateUser({ email: first });
  const toNew = await mailNumber(server, first, 1);
  const toPresent = await mailNumber(server, email, 2);
  await (await proved(client)).auth.updateUser({ email: taken });
  await mailNumber(server, email, 3);
  for (const { tokenHash } of [toNew, toPresent]) {
    expect(await redeem(server, tokenHash)).toMatchObject({
      status: 403,
      json: { code: "otp_expired" },
    });
  }
});

test("two links followed at the same moment both count", async ({ server }) => {
  const { email, client } = await confirmedAccount(server);
  const wanted = newEmail();
  await (await proved(client)).auth.updateUser({ email: wanted });
  const mails = [await mailNumber(server, wanted, 1), await mailNumber(server, email, 2)];
  const answers = await Promise.all(mails.map(({ tokenHash }) => redeem(server, tokenHash)));
  expect(answers.filter(({ json }) => json && "access_token" in json)).toHaveLength(1);
  expect((await client.auth.getUser()).data.user?.email).toBe(wanted);
});

test("a new password cancels a pending change of address", async ({ server }) => {
  const { client } = await confirmedAccount(server);
  await (await proved(client)).auth.updateUser({ email: newEmail() });
  const { data } = await client.auth.updateUser({ password: "only mine again" });
  expect(data.user).not.toHaveProperty("new_email");
});
