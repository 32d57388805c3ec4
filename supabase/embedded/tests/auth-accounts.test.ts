import { afterAll, describe, expect, test } from "vitest";
import {
  newClient,
  newEmail,
  password,
  present,
  proved,
  send,
  signIn,
  signUp,
} from "./support/accounts.ts";
import { mailNumber, mailsTo } from "./support/mails.ts";
import { startNotes } from "./support/notes-site.ts";

const site = await startNotes();
afterAll(() => site.close());

describe("sign-up with confirmation off", () => {
  test("says that an address is taken", async () => {
    const { email } = await signUp(site);
    const { data, error } = await newClient(site).auth.signUp({
      email: email.toUpperCase(),
      password,
    });
    expect(data).toEqual({ user: null, session: null });
    expect(error).toMatchObject({
      status: 422,
      code: "user_already_exists",
      message: "User already registered",
    });
  });

  test("gives the address to one of two simultaneous sign-ups", async () => {
    const email = newEmail();
    const both = await Promise.all(
      [1, 2].map(() => newClient(site).auth.signUp({ email, password })),
    );
    expect(both.map(({ error }) => error?.code ?? "ok").toSorted()).toEqual([
      "ok",
      "user_already_exists",
    ]);
  });
});

test("a new address is used once the link of its mail was followed", async () => {
  const { client, email } = await signUp(site);
  const wanted = newEmail();
  const { data, error } = await (await proved(client)).auth.updateUser({ email: wanted });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ email, new_email: wanted });
  const { code } = await mailNumber(site, wanted, 1);
  // The old address gets a notice, and confirms nothing.
  expect(site.changes).toContain(`email_requested ${email}`);
  expect(mailsTo(site, email)).toEqual([]);
  await signIn(site, email);
  const verified = await client.auth.verifyOtp({
    email: wanted,
    token: code,
    type: "email_change",
  });
  expect(present(verified.data).user).toMatchObject({
    email: wanted,
    identities: [{ identity_data: { email: wanted, email_verified: false } }],
  });
  expect(verified.data.user).not.toHaveProperty("new_email");
  await signIn(site, wanted);
  await expect(signIn(site, email)).rejects.toMatchObject({ code: "invalid_credentials" });
});

test("an address that the mail server refuses does not become the new one, and nobody is told", async () => {
  const { client, email } = await signUp(site);
  const wanted = `${email.split("@")[0]}@refused.example`;
  const { error } = await (await proved(client)).auth.updateUser({ email: wanted });
  expect(error).toMatchObject({ status: 500, message: "Error sending email change email" });
  expect(mailsTo(site, wanted)).toHaveLength(1);
  expect((await client.auth.getUser()).data.user).not.toHaveProperty("new_email");
  expect(site.changes).not.toContain(`email_requested ${email}`);
});

test("a new address is verified if the link of its mail is followed with a session of the account", async () => {
  const { client, session } = await signUp(site);
  const wanted = newEmail();
  await (await proved(client)).auth.updateUser({ email: wanted });
  const { tokenHash } = await mailNumber(site, wanted, 1);
  const { json } = await send(site, "POST", "/verify", {
    token: session.access_token,
    body: { token_hash: tokenHash, type: "email_change" },
  });
  expect(json).toMatchObject({
    user: { identities: [{ identity_data: { email: wanted, email_verified: true } }] },
  });
});

test("a new address has ten wrong codes in an hour, however often it is asked for, but its link works", async () => {
  const { client } = await signUp(site);
  const wanted = newEmail();
  const ask = async (number: number) => {
    await (await proved(client)).auth.updateUser({ email: wanted });
    return mailNumber(site, wanted, number);
  };
  const verify = (token: string) =>
    client.auth.verifyOtp({ email: wanted, token, type: "email_change" });
  const { code } = await ask(1);
  const wrong = code === "00000000" ? "00000001" : "00000000";
  for (let count = 0; count < 10; count += 1) {
    await verify(wrong);
  }
  const second = await ask(2);
  expect((await verify(second.code)).error).toMatchObject({ status: 403, code: "otp_expired" });
  const followed = { token_hash: second.tokenHash, type: "email_change" } as const;
  expect((await client.auth.verifyOtp(followed)).error).toBeNull();
});

test("a new address cannot be another account's address, not even that of an account made meanwhile", async () => {
  const { client } = await signUp(site);
  const taken = await signUp(site);
  const refused = { status: 422, code: "email_exists" };
  expect(
    (await (await proved(client)).auth.updateUser({ email: taken.email })).error,
  ).toMatchObject(refused);
  const wanted = newEmail();
  await (await proved(client)).auth.updateUser({ email: wanted });
  const { tokenHash } = await mailNumber(site, wanted, 1);
  await newClient(site).auth.signUp({ email: wanted, password });
  const { error } = await client.auth.verifyOtp({ token_hash: tokenHash, type: "email_change" });
  expect(error).toMatchObject(refused);
});
