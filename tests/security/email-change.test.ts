import { expect } from "vitest";
import { confirmedAccount } from "#tests/support/auth-accounts.ts";
import { mailNumber, newEmail, send, proved } from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";
import type { TestServer } from "#tests/support/embedded-server.ts";

test.override("authSettings", { confirmEmail: true });

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
