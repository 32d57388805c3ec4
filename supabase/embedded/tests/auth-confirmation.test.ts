import { afterAll, describe, expect, test } from "vitest";
import { newClient, newEmail, password, proved, send } from "./support/accounts.ts";
import { confirmedAccount, mailNumber, mailsTo } from "./support/mails.ts";
import { startNotes } from "./support/notes-site.ts";

const site = await startNotes({ confirmEmail: true });
afterAll(() => site.close());

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

describe("sign-up with confirmation on", () => {
  test("keeps the password of simultaneous sign-ups if they agree on it, else none", async () => {
    for (const last of [password, "another one"]) {
      const email = newEmail();
      const { auth } = newClient(site);
      const signUps = [password, password, password, password, last].map((given) =>
        newClient(site).auth.signUp({ email, password: given }),
      );
      for (const { error } of await Promise.all(signUps)) {
        expect(error).toBeNull();
      }
      await mailNumber(site, email, 5);
      await auth.resend({ type: "signup", email });
      const { tokenHash } = await mailNumber(site, email, 6);
      expect((await auth.verifyOtp({ token_hash: tokenHash, type: "signup" })).error).toBeNull();
      const { error } = await auth.signInWithPassword({ email, password });
      expect(error?.code).toBe(last === password ? undefined : "invalid_credentials");
    }
  });
});

test("whether an account exists does not show in the time they take", async () => {
  const { email } = await confirmedAccount(site);
  for (const path of ["/signup", "/recover", "/token?grant_type=password"]) {
    const ask = (address: string) =>
      timeOf(() => send(site, "POST", path, { body: { email: address, password: "wrong one" } }));
    // The least of four tries, or of more on a busy machine: load slows some, a difference all of them.
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const isEqual = () => Math.abs(known - unknown) < Math.max(known, unknown) * 0.5 + 3;
    for (let mails = 1; mails <= 4 || (mails <= 40 && !isEqual()); mails += 1) {
      const other = newEmail();
      unknown = Math.min(unknown, await ask(other));
      known = Math.min(known, await ask(email));
      // A mail is made after the response, and must not delay the next one.
      await (path === "/signup" && mailNumber(site, other, 1));
      await (path === "/recover" && mailNumber(site, email, mails + 1));
    }
    expect({ path, known, unknown, isEqual: isEqual() }).toMatchObject({ isEqual: true });
  }
});

test("a new address with confirmation on does not reveal whether it is another account's", async () => {
  const { client, email } = await confirmedAccount(site);
  const taken = await confirmedAccount(site);
  const { data, error } = await (await proved(client)).auth.updateUser({ email: taken.email });
  expect(error).toBeNull();
  expect(data.user?.new_email).toBe(taken.email);
  await mailNumber(site, email, 2);
  expect(mailsTo(site, taken.email)).toHaveLength(1);
});

function redeem(token_hash: string) {
  return send(site, "POST", "/verify", { body: { token_hash, type: "email_change" } });
}

test("an address changes by a mail to the new one, not by two mails to the old one", async () => {
  const { email, client } = await confirmedAccount(site);
  await (await proved(client)).auth.updateUser({ email: "owner@example.com" });
  const follow = async (count: number) => {
    const mail = await mailNumber(site, email, count);
    return redeem(mail.tokenHash);
  };
  expect((await follow(2)).json).not.toHaveProperty("access_token");
  await (await proved(client)).auth.updateUser({ email: "owner@example.com" });
  expect((await follow(3)).json).not.toHaveProperty("access_token");
  const { data } = await client.auth.getUser();
  expect(data.user?.email).toBe(email);

  const { tokenHash: own } = await mailNumber(site, "owner@example.com", 2);
  expect((await redeem(own)).json).toHaveProperty("access_token");
});

test("a code or link mailed for one address does not confirm another", async () => {
  const { email, client } = await confirmedAccount(site);
  const { email: taken } = await confirmedAccount(site);
  const first = newEmail();
  await (await proved(client)).auth.updateUser({ email: first });
  const toNew = await mailNumber(site, first, 1);
  const toPresent = await mailNumber(site, email, 2);
  await (await proved(client)).auth.updateUser({ email: taken });
  await mailNumber(site, email, 3);
  for (const { tokenHash } of [toNew, toPresent]) {
    expect(await redeem(tokenHash)).toMatchObject({
      status: 403,
      json: { code: "otp_expired" },
    });
  }
});

test("two links followed at the same moment both count", async () => {
  const { email, client } = await confirmedAccount(site);
  const wanted = newEmail();
  await (await proved(client)).auth.updateUser({ email: wanted });
  const mails = [await mailNumber(site, wanted, 1), await mailNumber(site, email, 2)];
  const answers = await Promise.all(mails.map(({ tokenHash }) => redeem(tokenHash)));
  expect(answers.filter(({ json }) => json && "access_token" in json)).toHaveLength(1);
  expect((await client.auth.getUser()).data.user?.email).toBe(wanted);
});

test("a new password cancels a pending change of address", async () => {
  const { client } = await confirmedAccount(site);
  await (await proved(client)).auth.updateUser({ email: newEmail() });
  const { data } = await client.auth.updateUser({ password: "only mine again" });
  expect(data.user).not.toHaveProperty("new_email");
});
