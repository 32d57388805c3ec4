import { afterAll, beforeAll, expect, it } from "vitest";

import {
  type AuthServer,
  mailNumber,
  newClient,
  newEmail,
  password,
  send,
  startAuthServer,
} from "../contract/auth-support.ts";

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer({ confirmEmail: true });
});
afterAll(() => server?.close());

it("an address changes by the mail to the new one, not by two mails to the old one", async () => {
  const email = newEmail();
  const client = newClient(server);
  await client.auth.signUp({ email, password });
  const { tokenHash } = await mailNumber(server, email, 1);
  const confirmed = await client.auth.verifyOtp({ token_hash: tokenHash, type: "signup" });
  expect(confirmed.error).toBeNull();

  await client.auth.updateUser({ email: "owner@example.com" });
  const follow = async (count: number) => {
    const mail = await mailNumber(server, email, count);
    return send(server, "POST", "/verify", {
      body: { token_hash: mail.tokenHash, type: "email_change" },
    });
  };
  expect((await follow(2)).json).not.toHaveProperty("access_token");
  await send(server, "POST", "/resend", { body: { type: "email_change", email } });
  expect((await follow(3)).json).not.toHaveProperty("access_token");
  const { data } = await client.auth.getUser();
  expect(data.user?.email).toBe(email);

  const { tokenHash: own } = await mailNumber(server, "owner@example.com", 2);
  const both = await send(server, "POST", "/verify", {
    body: { token_hash: own, type: "email_change" },
  });
  expect(both.json).toHaveProperty("access_token");
});
